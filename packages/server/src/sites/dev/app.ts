import { isLoopback } from '@emojid/core'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { ServiceError } from '../../platform/errors.ts'
import { servePages } from '../../platform/http/pages/pages.ts'
import type { KnownMethods } from '../../platform/http/server/methods.ts'
import type { CapturedMessage } from '../../platform/mail/captured.ts'
import { homePage } from './home/page.ts'
import { type LoginOptions, serveLogin } from './login/routes.ts'
import { partnerReturnPage } from './partner-return/page.ts'
import { serveWallet } from './wallet/page.ts'

export type DevOptions = {
  guard: (app: FastifyInstance) => void
  methods: KnownMethods
  webUrl: string
  addresses: readonly (readonly [string, string])[]
  example: string
  /** Captured emails and text messages, oldest first. */
  messages: () => Promise<CapturedMessage[]>
  /** The application for “Log in with your emoji id”. */
  login: Omit<LoginOptions, 'webUrl'>
}

/** Headers that proxies add. nginx adds none by default, but speaks HTTP/1.0. */
const proxyHeader =
  /^(forwarded|via|cdn-loop|client-ip|(true|fastly)-client-ip|x-(forward|original|proxy|envoy|amzn|azure|appengine|real|client|cluster|remote|host).*|(cf|cloudfront|fly|x-vercel|x-nf|akamai)-.*)$/

/** {web_url}/dev: only in the demonstration on loopback, and only for programs of this machine. */
export async function devSite(app: FastifyInstance, options: DevOptions): Promise<void> {
  servePages(app, 'dev', options.webUrl, options.methods.at)
  options.guard(app)
  app.addHook('onRequest', async ({ headers, raw }) => {
    // Prevents DNS rebinding: another site's page must not read this one.
    const isLocal = isLoopback((headers.host ?? '').replace(/:\d+$/, ''))
    // A proxy on this machine would show the emails of all accounts to the network.
    const isProxied =
      raw.httpVersion === '1.0' || Object.keys(headers).some((name) => proxyHeader.test(name))
    if (!isLocal || isProxied) {
      throw new ServiceError(
        'not_found',
        'not_here',
        'This page is available on this machine only, under a local host name and without a proxy.',
      )
    }
  })
  await serveLogin(app, { ...options.login, webUrl: options.webUrl })
  await serveWallet(app, { webUrl: options.webUrl, apiUrl: options.login.apiUrl })
  app.get('/', async (_request, reply) => {
    const { webUrl, addresses, example } = options
    const messages = await options.messages()
    return sendPage(reply, homePage({ webUrl, addresses, example, messages }))
  })
  app.get('/mail.json', () => options.messages())
  app.get('/return', async ({ query }, reply) =>
    sendPage(reply, partnerReturnPage(query as Record<string, unknown>)),
  )
}

const sendPage = (reply: FastifyReply, page: string): FastifyReply =>
  reply.type('text/html; charset=utf-8').send(page)
