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

export function serveUndoChange(app: FastifyInstance, site: LinkSite): void {
  const bind = bindTo(site)
  app.get('/undo_change', bind(askToUndo))
  app.post('/undo_change', bind(undoChange))
}

async function askToUndo(site: LinkSite, request: FastifyRequest, reply: FastifyReply) {
  const token = tokenOpened(request)
  const { emoji_id, changes } = await site.edits.previewUndo(token)
  const { title, question, unneeded, action, closePage } = texts()
  const list = changes.length
    ? html`<ul>${changes.map((one) => html`<li>${one}</li>`)}</ul>`
    : html`<p>${unneeded}</p>`
  const body = html`${idAsArt(site, emoji_id)}
<p>${question}</p>
${list}
${button(site, { path: 'undo_change', token, label: action })}
<p>${closePage}</p>`
  return sendPage(reply, title, body)
}

async function undoChange(site: LinkSite, request: FastifyRequest, reply: FastifyReply) {
  const emoji_id = await site.edits.undoEdit(tokenSent(request))
  return sendDone(site, reply, texts().done(emoji_id))
}
