import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { bindTo } from '../../../../platform/bind.ts'
import { html } from '../../../../platform/http/pages/html.ts'
import {
  button,
  type LinkSite,
  linkToStart,
  sendDone,
  sendPage,
  tokenOpened,
  tokenSent,
} from '../link-page.ts'
import { texts } from './texts.ts'

export function serveConfirmEmail(app: FastifyInstance, site: LinkSite): void {
  const bind = bindTo(site)
  app.get('/confirm_email', bind(askToConfirm))
  app.post('/confirm_email', bind(confirmEmail))
  app.post('/confirm_email/disown', bind(disownAccount))
}

async function askToConfirm(site: LinkSite, request: FastifyRequest, reply: FastifyReply) {
  const token = tokenOpened(request)
  const { email } = await site.mailbox.previewLink('confirm_email', token)
  const { title, question, confirm, disown, disownHint } = texts()
  const body = html`<p>${question(email ?? '')}</p>
${button(site, { path: 'confirm_email', token, label: confirm })}
${button(site, { path: 'confirm_email/disown', token, label: disown, look: 'second' })}
<p>${disownHint}</p>`
  return sendPage(reply, title, body)
}

async function confirmEmail(site: LinkSite, request: FastifyRequest, reply: FastifyReply) {
  const { mailbox, purchases, webUrl } = site
  const { user_id, redirect } = await mailbox.confirmEmail(tokenSent(request))
  const isBuying = await purchases.hasItems(user_id)
  const path = redirect ?? (isBuying ? '/cart' : undefined)
  const { confirmed, goOn, goOnToCart } = texts()
  const next = path
    ? html`<p><a class="button" href="${webUrl}${path}">${isBuying ? goOnToCart : goOn}</a></p>`
    : linkToStart(webUrl)
  return sendDone(site, reply, confirmed, next)
}

async function disownAccount(site: LinkSite, request: FastifyRequest, reply: FastifyReply) {
  await site.mailbox.disownAccount(tokenSent(request))
  return sendDone(site, reply, texts().disowned)
}
