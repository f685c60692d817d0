import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { bindTo } from '../../../../platform/bind.ts'
import { html } from '../../../../platform/http/html.ts'
import {
  button,
  idAsArt,
  type LinkSite,
  sendDone,
  sendPage,
  tokenOpened,
  tokenSent,
} from '../link-page.ts'
import { texts } from './texts.ts'

export function serveCancelChange(app: FastifyInstance, site: LinkSite): void {
  const bind = bindTo(site)
  app.get('/cancel_change', bind(askToCancel))
  app.post('/cancel_change', bind(cancelChange))
}

async function askToCancel(site: LinkSite, request: FastifyRequest, reply: FastifyReply) {
  const token = tokenOpened(request)
  const { emoji_id, at, changes } = await site.delays.previewChange(token)
  const { title, text, action, closePage } = texts()
  const body = html`${idAsArt(site, emoji_id)}
<p>${text(at)}</p>
<ul>${changes.map((one) => html`<li>${one}</li>`)}</ul>
${button(site, { path: 'cancel_change', token, label: action })}
<p>${closePage}</p>`
  return sendPage(reply, title, body)
}

async function cancelChange(site: LinkSite, request: FastifyRequest, reply: FastifyReply) {
  const emoji_id = await site.delays.cancelChangeByLink(tokenSent(request))
  return sendDone(site, reply, texts().done(emoji_id))
}
