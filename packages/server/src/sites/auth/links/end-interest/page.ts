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

export function serveEndInterest(app: FastifyInstance, site: LinkSite): void {
  const bind = bindTo(site)
  app.get('/end_interest', bind(askToEnd))
  app.post('/end_interest', bind(endInterest))
}

async function askToEnd(site: LinkSite, request: FastifyRequest, reply: FastifyReply) {
  const token = tokenOpened(request)
  const { emoji_id } = await site.interests.previewUnsubscribe(token)
  const { title, question, action } = texts()
  const body = html`${idAsArt(site, emoji_id)}
<p>${question}</p>
${button(site, { path: 'end_interest', token, label: action })}`
  return sendPage(reply, title, body)
}

async function endInterest(site: LinkSite, request: FastifyRequest, reply: FastifyReply) {
  const emoji_id = await site.interests.unsubscribe(tokenSent(request))
  return sendDone(site, reply, texts().done(emoji_id))
}
