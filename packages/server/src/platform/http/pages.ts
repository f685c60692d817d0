import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorKind } from '../errors.ts'
import { LockedError, toServiceError } from './faults.ts'
import { html, page, pagePolicy } from './html.ts'

const answers: Record<ErrorKind, [status: number, title: string]> = {
  invalid: [400, 'That address does not work'],
  unauthenticated: [401, 'Please sign in'],
  forbidden: [403, 'This is not yours to see'],
  not_found: [404, 'There is nothing here'],
  in_flight: [409, 'Still working on it'],
  outdated: [409, 'Somebody was quicker'],
  too_large: [413, 'That is too large'],
  refused: [422, 'That did not work'],
  second_factor: [424, 'Please enter your code again'],
  limited: [429, 'A little slower, please'],
  unavailable: [503, 'Back in a moment'],
}

export const statusOf = (kind: ErrorKind): number => answers[kind][0]

/** Answers an address that no route has, if it knows better than that there is nothing. */
type Guess = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined

/** A site for people: pages, and errors as pages that say what to do next. */
export function servePages(
  app: FastifyInstance,
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
  app.setNotFoundHandler((request, reply) => {
    const guessed = guess?.(request, reply)
    if (guessed) return guessed
    const methods = methodsAt(request.url)
    if (methods.length === 0 || methods.includes(request.method))
      return sendPage(reply, 404, answers.not_found[1], 'The address may be mistyped.', homeUrl)
    reply.header('allow', methods.join(', '))
    const text = `This address takes ${methods.join(', ')} only.`
    return sendPage(reply, 405, answers.invalid[1], text, homeUrl)
  })
  app.setErrorHandler((thrown, request, reply) => {
    const error = toServiceError(thrown)
    if (!error || error instanceof LockedError) {
      request.log.error({ err: thrown, request_id: request.id }, 'A page failed')
    }
    const [status, title] = error
      ? answers[error.kind]
      : ([500, 'Something broke on our side'] as const)
    const retry = error?.details.retry_after_seconds
    if (retry !== undefined) reply.header('retry-after', String(retry))
    const text = error?.message ?? `Try again. If it stays so, tell us this number: ${request.id}`
    return sendPage(reply, status, title, text, homeUrl)
  })
}

/** For browsers whose address is so wrong that it leads to no site; programs get something else. */
export const wrongAddressPage = (homeUrl: string): string =>
  errorPage(
    answers.invalid[1],
    'It is cut off, was changed on its way, or is too long. Copy it once more.',
    homeUrl,
  )

export const sendWrongAddress = (reply: FastifyReply, wrongAddress: string): FastifyReply =>
  reply
    .code(400)
    .header('content-security-policy', pagePolicy())
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(wrongAddress)

/** Whether a browser shows the answer to somebody. */
export const isForPeople = (target: string, accept: string | undefined): boolean =>
  !target.startsWith('/api/') && /\btext\/html\b/.test(accept ?? '')

const errorPage = (title: string, text: string, homeUrl: string): string =>
  page(title, html`<p>${text}</p><p><a href="${homeUrl}">Go to the start page</a></p>`)

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
