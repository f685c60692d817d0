import { textLengths } from '@emojid/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Delays } from '../../../features/directory/delays/delays.ts'
import type { Edits } from '../../../features/directory/edits/edits.ts'
import { showEmojiId } from '../../../features/directory/pictures/pictures.ts'
import type { Mailbox } from '../../../features/identity/mailbox/mailbox.ts'
import type { Recovery } from '../../../features/identity/recovery/recovery.ts'
import type { Interests } from '../../../features/shop/interests/interests.ts'
import type { Purchases } from '../../../features/shop/purchases/purchases.ts'
import { ServiceError } from '../../../platform/errors.ts'
import { field, formRate } from '../../../platform/http/pages/forms.ts'
import { type Html, html, page } from '../../../platform/http/pages/html.ts'
import { texts } from './texts.ts'

/** Dependencies of the pages behind emailed links. */
export type LinkSite = {
  mailbox: Mailbox
  purchases: Purchases
  delays: Delays
  edits: Edits
  interests: Interests
  recovery: Recovery
  authUrl: string
  webUrl: string
  /** The page that shows captured emails; empty outside of the demonstration. */
  mailPageUrl: string
  /** Opens a sign-in link that an application waits for. */
  openAtApplication: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
}

/** The token in the address of the opened link. */
export const tokenOpened = ({ query }: FastifyRequest): string => field(query, 'token')

/** The token in the submitted form. */
export const tokenSent = ({ body }: FastifyRequest): string => field(body, 'token')

export const sendPage = (reply: FastifyReply, title: string, body: Html, status = 200) =>
  reply.code(status).type('text/html; charset=utf-8').send(page(title, body))

/** Confirms the result and links to the next page. */
export const sendDone = (
  { webUrl }: LinkSite,
  reply: FastifyReply,
  { title, text }: { title: string; text: string },
  next = linkToStart(webUrl),
) => sendPage(reply, title, html`<p>${text}</p>${next}`)

/** Confirms that an email was sent; in the demonstration, links to the captured email. */
export const sendMailed = (site: LinkSite, reply: FastifyReply, text: string) => {
  const { mailPageUrl, webUrl } = site
  const pageLink = mailPageUrl ? html`<p>${texts().mailPageUrl(mailPageUrl)}</p>` : ''
  const next = html`${pageLink}${linkToStart(webUrl)}`
  return sendDone(site, reply, { title: texts().lookIntoMails, text }, next)
}

export const linkToStart = (webUrl: string): Html =>
  html`<p><a href="${webUrl}">${texts().toStart}</a></p>`

const idAsArt = ({ authUrl }: LinkSite, emoji_id: string): Html =>
  html`<p>${showEmojiId(emoji_id, `${authUrl}/art`)}</p>`

/** An emailed link about an emoji id: its page asks, its button acts. */
export type IdLink = {
  path: string
  texts: () => {
    title: string
    action: string
    /** For owners who caused it themselves. */
    closePage?: string
    done: (emoji_id: string) => { title: string; text: string }
  }
  ask: (site: LinkSite, token: string) => Promise<{ emoji_id: string; question: Html }>
  /** Returns the id as it is displayed. */
  act: (site: LinkSite, token: string) => Promise<string>
}

export function serveIdLink(app: FastifyInstance, site: LinkSite, link: IdLink): void {
  const { path, ask, act } = link
  app.get(`/${path}`, { config: formRate }, async (request, reply) => {
    const token = tokenOpened(request)
    const { emoji_id, question } = await ask(site, token)
    const { title, action, closePage } = link.texts()
    const body = html`${idAsArt(site, emoji_id)}
${question}
${button(site, { path, token, label: action })}
${closePage ? html`<p>${closePage}</p>` : ''}`
    return sendPage(reply, title, body)
  })
  app.post(`/${path}`, { config: formRate }, async (request, reply) =>
    sendDone(site, reply, link.texts().done(await act(site, tokenSent(request)))),
  )
}

export const listOf = (lines: readonly string[]): Html =>
  html`<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>`

type Button = { path: string; token: string; label: string; name?: string; look?: 'second' | '' }

export const button = (
  { authUrl }: LinkSite,
  { path, token, label, name = 'token', look = '' }: Button,
): Html => html`<form method="post" action="${authUrl}/${path}">
<input type="hidden" name="${name}" value="${token}"><button class="${look}">${label}</button></form>`

export const emailForm = (
  { authUrl }: LinkSite,
  path: string,
  label: string,
): Html => html`<form method="post" action="${authUrl}/${path}">
<label>${texts().email}<input type="email" name="email" autocomplete="email" required maxlength="${textLengths.email.maxLength}"></label>
<button>${label}</button></form>`

type PasswordForm = {
  path: string
  token: string
  email: string | null
  label: string
  problem: string | undefined
}

export const passwordForm = (
  { authUrl }: LinkSite,
  { path, token, email, label, problem }: PasswordForm,
): Html => html`<form method="post" action="${authUrl}/${path}">
<input type="hidden" name="token" value="${token}">
<input type="text" name="username" value="${email ?? ''}" autocomplete="username" hidden>
${problem ? html`<p class="wrong" id="problem" role="alert">${problem}</p>` : ''}
<label>${texts().newPassword}<input type="password" name="password" autocomplete="new-password" minlength="${textLengths.password.minLength}" required${problem ? html` aria-describedby="problem"` : ''}></label>
<button>${label}</button></form>`

/** Shows the form again if the password is refused; any other error gets its own page. */
export async function retryPassword(
  work: () => Promise<unknown>,
  sendForm: (problem: string) => unknown,
): Promise<unknown> {
  try {
    return await work()
  } catch (error) {
    const isPassword =
      error instanceof ServiceError && ['weak_password', 'too_long_password'].includes(error.code)
    if (!isPassword) throw error
    return sendForm(error.message)
  }
}
