import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { bindTo } from '../../../../platform/bind.ts'
import { field, formRate } from '../../../../platform/http/pages/forms.ts'
import { html } from '../../../../platform/http/pages/html.ts'
import { assertMailAddress } from '../../../../platform/mail/address.ts'
import { toMinuteText } from '../../../../platform/time.ts'
import {
  button,
  emailForm,
  type LinkSite,
  linkToStart,
  sendDone,
  sendMailed,
  sendPage,
  tokenOpened,
  tokenSent,
} from '../link-page.ts'
import { texts } from './texts.ts'

export function serveRecoverFactor(app: FastifyInstance, site: LinkSite): void {
  const bind = bindTo(site)
  app.get('/lost_factor', bind(showLostFactor))
  app.post('/lost_factor', { config: formRate }, bind(mailLink))
  app.get('/recover_factor', { config: formRate }, bind(askToBegin))
  app.post('/recover_factor', { config: formRate }, bind(beginRecovery))
  app.get('/recover_factor/finish', { config: formRate }, bind(askToFinish))
  app.post('/recover_factor/finish', { config: formRate }, bind(finishRecovery))
}

async function showLostFactor(site: LinkSite, _request: FastifyRequest, reply: FastifyReply) {
  const { title, text, action } = texts().lost
  return sendPage(reply, title, html`<p>${text}</p>\n${emailForm(site, 'lost_factor', action)}`)
}

async function mailLink(site: LinkSite, request: FastifyRequest, reply: FastifyReply) {
  const email = field(request.body, 'email').trim()
  assertMailAddress(email)
  await site.mailbox.requestLink({ kind: 'recover_factor', email })
  return sendMailed(site, reply, texts().lost.mailed)
}

async function askToBegin(site: LinkSite, request: FastifyRequest, reply: FastifyReply) {
  const token = tokenOpened(request)
  const { email } = await site.recovery.previewBegin(token)
  const { question, text, action } = texts().begin
  const body = html`<p>${question(email ?? '')}</p>
<p>${text}</p>
${button(site, { path: 'recover_factor', token, label: action })}`
  return sendPage(reply, texts().title, body)
}

async function beginRecovery(site: LinkSite, request: FastifyRequest, reply: FastifyReply) {
  const end = await site.recovery.beginRecovery(tokenSent(request))
  return sendDone(site, reply, texts().begin.done(toMinuteText(end)))
}

async function askToFinish(site: LinkSite, request: FastifyRequest, reply: FastifyReply) {
  const token = tokenOpened(request)
  const { email, from, isOver } = await site.recovery.previewFinish(token)
  const { question, action, early, earlyText } = texts().finish
  const body = isOver
    ? html`<p>${question(email ?? '')}</p>
${button(site, { path: 'recover_factor/finish', token, label: action })}`
    : html`<p>${earlyText(email ?? '', from)}</p>${linkToStart(site.webUrl)}`
  return sendPage(reply, isOver ? texts().title : early, body)
}

async function finishRecovery(site: LinkSite, request: FastifyRequest, reply: FastifyReply) {
  await site.recovery.finishRecovery(tokenSent(request))
  return sendDone(site, reply, texts().finish.done)
}
