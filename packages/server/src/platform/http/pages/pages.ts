import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LockedError, statusOf, toServiceError } from '../faults.ts'
import { html, page, pagePolicy } from './html.ts'
import { limitPages } from './page-limit.ts'
import { texts } from './texts.ts'

/** Handles an address without a route, if it knows a better response than 404. */
type Guess = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined

/** A site for people: pages, and errors as pages with the next step. */
export function servePages(
  app: FastifyInstance,
  site: string,
  homeUrl: string,
  methodsAt: (url: string) => string[],
  formTargets: string[] = [],
  guess?: Guess,
): void {
  const policy = pagePolicy({ forms: formTargets })
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('content-security-policy', policy)
    reply.header('referrer-policy', 'no-referrer')
    reply.header('cache-control', 'no-store')
  })
  limitPages(app, site)
  app.setNotFoundHandler((request, reply) => {
    const guessed = guess?.(request, reply)
    if (guessed) return guessed
    const methods = methodsAt(request.url)
    if (methods.length === 0 || methods.includes(request.method))
      return sendPage(reply, 404, texts().titles.not_found, texts().mistyped, homeUrl)
    reply.header('allow', methods.join(', '))
    return sendPage(reply, 405, texts().titles.invalid, texts().takesOnly(methods), homeUrl)
  })
  app.setErrorHandler((thrownError, request, reply) => {
    const error = toServiceError(thrownError)
    if (!error || error instanceof LockedError) {
      request.log.error({ err: thrownError, request_id: request.id }, 'A page request failed')
    }
    const status = error ? statusOf(error.kind) : 500
    const title = texts().titles[error?.kind ?? 'unknown']
    const retry = error?.details.retry_after_seconds
    if (retry !== undefined) reply.header('retry-after', String(retry))
    const text = error?.message ?? texts().tellNumber(request.id)
    return sendPage(reply, status, title, text, homeUrl)
  })
}

/** For browsers with an address too malformed for any site; programs get JSON. */
export const wrongAddressPage = (homeUrl: string): string =>
  errorPage(texts().titles.invalid, texts().wrongAddress, homeUrl)

export const sendWrongAddress = (reply: FastifyReply, wrongAddress: string): FastifyReply =>
  reply
    .code(400)
    .header('content-security-policy', pagePolicy())
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(wrongAddress)

/** True if a browser shows the response as a page. */
export const isForPeople = (target: string, accept: string | undefined): boolean =>
  !target.startsWith('/api/') && /\btext\/html\b/.test(accept ?? '')

const errorPage = (title: string, text: string, homeUrl: string): string =>
  page(title, html`<p>${text}</p><p><a href="${homeUrl}">${texts().toStart}</a></p>`)

function sendPage(
  reply: FastifyReply,
  status: number,
  title: string,
  text: string,
  homeUrl: string,
) {
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .send(errorPage(title, text, homeUrl))
}
