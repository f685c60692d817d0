import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { bindTo } from '../../../../platform/bind.ts'
import { field } from '../../../../platform/http/pages/forms.ts'
import { html } from '../../../../platform/http/pages/html.ts'
import {
  button,
  type LinkSite,
  passwordForm,
  retryPassword,
  sendPage,
  tokenOpened,
  tokenSent,
} from '../link-page.ts'
import { texts } from './texts.ts'

export function serveFirstPassword(app: FastifyInstance, site: LinkSite): void {
  const bind = bindTo(site)
  app.get('/first_password', bind(showForm))
  app.post('/first_password', bind(choosePassword))
  app.post('/first_password/skip', bind(skipPassword))
}

const showForm = (site: LinkSite, request: FastifyRequest, reply: FastifyReply) =>
  sendForm(site, reply, tokenOpened(request))

async function choosePassword(site: LinkSite, request: FastifyRequest, reply: FastifyReply) {
  const token = tokenSent(request)
  const password = field(request.body, 'password')
  const start = await startAfter(site, token)
  return retryPassword(
    async () => reply.redirect(await site.mailbox.choosePassword(token, password, start), 303),
    (problem) => sendForm(site, reply, token, problem),
  )
}

async function skipPassword(site: LinkSite, request: FastifyRequest, reply: FastifyReply) {
  const token = tokenSent(request)
  const start = await startAfter(site, token)
  return reply.redirect(await site.mailbox.skipPassword(token, start), 303)
}

async function sendForm(site: LinkSite, reply: FastifyReply, token: string, problem?: string) {
  const { email, hasSecondFactor } = await site.mailbox.previewLink('first_password', token)
  const { title, titleSignedIn, signedIn, text, action, goOn, skip } = texts()
  const path = 'first_password'
  const form = html`<p>${text}</p>
${passwordForm(site, { path, token, email, label: action, problem })}`
  const goOnButton = {
    path: `${path}/skip`,
    token,
    label: hasSecondFactor ? goOn : skip,
    look: hasSecondFactor ? '' : 'second',
  } as const
  const body = html`<p>${signedIn(email ?? '')}</p>
${hasSecondFactor ? '' : form}
${button(site, goOnButton)}`
  return sendPage(reply, hasSecondFactor ? titleSignedIn : title, body, problem ? 422 : 200)
}

/** A buyer with items in the cart continues there. */
async function startAfter({ mailbox, purchases }: LinkSite, token: string): Promise<string> {
  const { user_id } = await mailbox.previewLink('first_password', token)
  return (await purchases.hasItems(user_id)) ? '/cart' : '/'
}
