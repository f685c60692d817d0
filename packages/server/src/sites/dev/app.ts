import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../../platform/errors.ts'
import { type Html, html, page } from '../../platform/http/html.ts'
import type { KnownMethods } from '../../platform/http/methods.ts'
import { servePages } from '../../platform/http/pages.ts'
import type { KeptMessage } from '../../platform/mail/kept.ts'
import { type LoginOptions, serveLogin } from './login.ts'
import { serveWallet } from './wallet.ts'

export type DevOptions = {
  guard: (app: FastifyInstance) => void
  methods: KnownMethods
  webUrl: string
  addresses: readonly (readonly [string, string])[]
  example: string
  /** Mails and text messages that would have been sent, oldest first. */
  messages: () => Promise<KeptMessage[]>
  /** The application in which one logs in with an emoji id. */
  login: Omit<LoginOptions, 'webUrl'>
}

const shownMessages = 50

const localNames = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i

/** {web_url}/dev: only in the loopback demonstration, and only under a local name. */
export async function devSite(app: FastifyInstance, options: DevOptions): Promise<void> {
  servePages(app, options.webUrl, options.methods.at)
  options.guard(app)
  // A foreign name that resolves to this machine must not let another site's page read this one.
  app.addHook('onRequest', async ({ headers }) => {
    if (!localNames.test(headers.host ?? '')) {
      throw new ServiceError('not_found', 'not_here', 'This page is served under local names only.')
    }
  })
  await serveLogin(app, { ...options.login, webUrl: options.webUrl })
  await serveWallet(app, { webUrl: options.webUrl, apiUrl: options.login.apiUrl })
  app.get('/', async (_request, reply) => {
    const rows = options.addresses.map(
      ([name, url]) =>
        html`<tr><th scope="row">${name}</th><td><a href="${url}">${url}</a></td></tr>`,
    )
    const body = html`<p>This is the demonstration on your own machine. Nothing here leaves it.</p>
      <table>${rows}</table>
      <h2>Try it</h2>
      <pre>${options.example}</pre>
      <h2>Log in with your emoji id</h2>
      <p>What an application of others sees of it.
      <a href="${options.webUrl}/dev/login">Log in to Demo App with your emoji id</a></p>
      <h2>Pay an emoji id</h2>
      <p>What a wallet makes of it, with play money.
      <a href="${options.webUrl}/dev/wallet">Open the demo wallet</a></p>
      <h2 id="messages">Messages</h2>
      ${showMessages(await options.messages(), `${options.webUrl}/dev/mail.json`)}`
    return reply.type('text/html; charset=utf-8').send(page('Development', body, 'sheet'))
  })
  app.get('/mail.json', () => options.messages())
  app.get('/return', async (request, reply) => {
    const given = Object.entries(request.query as Record<string, unknown>)
    const rows = given.map(
      ([name, value]) => html`<tr><th scope="row">${name}</th><td>${String(value)}</td></tr>`,
    )
    const body = html`<p>The partner <code>demo</code> gets people back here, with:</p>
      ${given.length > 0 ? html`<table>${rows}</table>` : html`<p>Nothing.</p>`}`
    return reply.type('text/html; charset=utf-8').send(page('Back at the partner', body))
  })
}

function showMessages(messages: readonly KeptMessage[], jsonUrl: string): Html {
  if (messages.length === 0) return html`<p>No mail or text message was sent yet.</p>`
  const newest = messages.slice(-shownMessages).reverse()
  return html`<p>Mails and text messages that would have been sent, newest first; all of them as
    <a href="${jsonUrl}">JSON</a>.</p>
    ${newest.map(showMessage)}`
}

const showMessage = ({ to, subject, text, at }: KeptMessage): Html => html`<article>
    <h3>${subject || 'Text message'}</h3>
    <p>To <strong>${to}</strong>, <time datetime="${at}">${at}</time></p>
    <pre>${withLinks(text)}</pre>
  </article>`

function withLinks(text: string): Html[] {
  const parts = text.split(/(https?:\/\/[^\s<>"]+)/)
  return parts.map((part, n) => (n % 2 === 1 ? html`<a href="${part}">${part}</a>` : html`${part}`))
}
