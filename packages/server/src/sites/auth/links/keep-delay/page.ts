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

export function serveKeepDelay(app: FastifyInstance, site: LinkSite): void {
  const bind = bindTo(site)
  app.get('/keep_delay', bind(askToKeep))
  app.post('/keep_delay', bind(keepDelay))
}

async function askToKeep(site: LinkSite, request: FastifyRequest, reply: FastifyReply) {
  const token = tokenOpened(request)
  const { emoji_id, at, hours } = await site.delays.previewLock(token)
  const { title, text, action, closePage } = texts()
  const body = html`${idAsArt(site, emoji_id)}
<p>${text(hours, at)}</p>
${button(site, { path: 'keep_delay', token, label: action })}
<p>${closePage}</p>`
  return sendPage(reply, title, body)
}

async function keepDelay(site: LinkSite, request: FastifyRequest, reply: FastifyReply) {
  const emoji_id = await site.delays.keepLockByLink(tokenSent(request))
  return sendDone(site, reply, texts().done(emoji_id))
}
