import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { bindTo } from '../../../../platform/bind.ts'
import { ServiceError } from '../../../../platform/errors.ts'
import { field, formRate } from '../../../../platform/http/pages/forms.ts'
import { html } from '../../../../platform/http/pages/html.ts'
import { assertMailAddress } from '../../../../platform/mail/address.ts'
import { button, emailForm, type LinkSite, sendMailed, sendPage } from '../link-page.ts'
import { texts } from './texts.ts'

export function serveSignInLink(app: FastifyInstance, site: LinkSite): void {
  const bind = bindTo(site)
  app.get('/magic_link', { config: formRate }, bind(showLink))
  app.post('/magic_link', { config: formRate }, bind(signInByLink))
  app.post('/magic_link/again', { config: formRate }, bind(mailNewLink))
}

async function showLink(site: LinkSite, request: FastifyRequest, reply: FastifyReply) {
  if (isForApplication(request)) return site.openAtApplication(request, reply)
  return orOfferNewLink(site, reply, async () => {
    const token = field(request.query, 'refresh_token')
    const { email } = await site.mailbox.previewLink('magic_link', token)
    const { title, text, action } = texts()
    const body = html`<p>${text(email ?? '')}</p>
${button(site, { path: 'magic_link', name: 'refresh_token', token, label: action })}`
    return sendPage(reply, title, body)
  })
}

async function signInByLink(site: LinkSite, request: FastifyRequest, reply: FastifyReply) {
  if (isForApplication(request)) return site.openAtApplication(request, reply)
  return orOfferNewLink(site, reply, async () => {
    const token = await site.mailbox.signInByLink(field(request.body, 'refresh_token'))
    return reply.redirect(`${site.authUrl}/first_password?token=${token}`, 303)
  })
}

async function mailNewLink(site: LinkSite, request: FastifyRequest, reply: FastifyReply) {
  const email = field(request.body, 'email').trim()
  assertMailAddress(email)
  await site.mailbox.requestLink({ kind: 'sign_in', email })
  return sendMailed(site, reply, texts().mailed)
}

const isForApplication = ({ query }: FastifyRequest): boolean =>
  ['client_id', 'redirect_uri'].some((name) => name in (query as object))

/** Offers a new link in place of an expired one. */
async function orOfferNewLink(site: LinkSite, reply: FastifyReply, work: () => Promise<unknown>) {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'expired_link') throw error
    const body = html`<p>${error.message}</p>
${emailForm(site, 'magic_link/again', texts().again)}`
    return sendPage(reply, texts().expired, body, 422)
  }
}
