import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Form, FormError, readForm } from '../forms.ts'
import { randomText } from '../ids.ts'
import { CardApiError } from './errors.ts'
import { expand } from './expand.ts'
import { earlierAnswer, keepAnswer } from './idempotency.ts'
import { type Parameters, readParameters } from './parameters.ts'
import type { CardProvider } from './provider.ts'

type Answer = object | CardApiError
export type Handler = (parameters: Parameters, path: Record<string, string>) => Answer

/** Common to all requests to the card provider: the key, the form, errors in Stripe's format. */
export function cardApi(app: FastifyInstance, provider: CardProvider) {
  const { state, seconds, options } = provider
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    '*',
    { parseAs: 'string' },
    async (_request: unknown, body: string) => body,
  )
  app.addHook('onRequest', async (request, reply) => {
    reply.header('request-id', `req_${randomText(14)}`)
    if (!isKey(request.headers.authorization, options.secretKey)) {
      throw new CardApiError(401, 'Invalid API Key provided.')
    }
  })
  app.setNotFoundHandler(({ method, url }) => {
    throw new CardApiError(404, `Unrecognized request URL (${method}: ${url.split('?', 1)[0]}).`)
  })
  app.setErrorHandler((error, _request, reply) => {
    const apiError = toApiError(error)
    return reply.code(apiError.status).send(apiError.body())
  })

  const finish = (answer: Answer, parameters: Parameters): Answer =>
    answer instanceof CardApiError
      ? answer
      : expand(state, answer, parameters.texts('expand') ?? [])

  return {
    get(url: string, handler: Handler): void {
      app.get(url, async (request) => {
        const parameters = readParameters(readForm(/\?(.*)$/s.exec(request.url)?.[1] ?? ''))
        const answer = finish(
          handler(parameters, request.params as Record<string, string>),
          parameters,
        )
        if (answer instanceof CardApiError) throw answer
        return answer
      })
    },
    post(url: string, handler: Handler): void {
      app.post(url, async (request, reply) => {
        const parameters = readParameters(formOf(request))
        const work = () =>
          finish(handler(parameters, request.params as Record<string, string>), parameters)
        return runOnce(request, reply, work)
      })
    },
  }

  /** The same key gets the same response, stored in the same write as its effect. */
  function runOnce(request: FastifyRequest, reply: FastifyReply, work: () => Answer) {
    const key = request.headers['idempotency-key']
    if (typeof key !== 'string') return send(reply, state.change(work))
    if (key.length > 255) throw new CardApiError(400, 'Idempotency keys have up to 255 characters.')
    const body = typeof request.body === 'string' ? request.body : ''
    const keyedRequest = { key, method: request.method, path: request.url, body }
    const earlier = earlierAnswer(state, keyedRequest, seconds())
    reply.header('idempotency-key', key)
    if (earlier) {
      reply.header('idempotent-replayed', 'true')
      if (earlier.status >= 500) reply.header('stripe-should-retry', 'false')
      return reply.code(earlier.status).send(earlier.body)
    }
    const failure = provider.failures.shift()
    const answer = state.change(() => {
      const outcome = failure && !failure.applied ? undefined : work()
      const answer = failure || !outcome ? providerFault() : outcome
      const isError = answer instanceof CardApiError
      const storedAnswer = isError
        ? { status: answer.status, body: answer.body() }
        : { status: 200, body: answer }
      keepAnswer(state, keyedRequest, { ...storedAnswer, created: seconds() })
      return answer
    })
    if (failure) reply.header('stripe-should-retry', 'false')
    return send(reply, answer)
  }
}

/** Stripe stores it as the response of the key, and advises against a retry. */
const providerFault = () =>
  new CardApiError(500, 'An unexpected error occurred.', { type: 'api_error' })

function send(reply: FastifyReply, answer: Answer) {
  if (answer instanceof CardApiError) return reply.code(answer.status).send(answer.body())
  return reply.send(answer)
}

function formOf(request: FastifyRequest): Form {
  const type = request.headers['content-type'] ?? ''
  if (typeof request.body !== 'string' || request.body === '') return {}
  if (!type.startsWith('application/x-www-form-urlencoded')) {
    throw new CardApiError(400, 'Send parameters as application/x-www-form-urlencoded.')
  }
  return readForm(request.body)
}

/** Stripe accepts the key as `Bearer KEY`, or as the Basic user without a password. */
function isKey(authorization: string | undefined, secretKey: string): boolean {
  const [scheme = '', value = ''] = authorization?.split(' ') ?? []
  const parameters =
    scheme.toLowerCase() === 'basic'
      ? (Buffer.from(value, 'base64').toString().split(':', 1)[0] ?? '')
      : value
  const [a, b] = [Buffer.from(parameters), Buffer.from(secretKey)]
  return /^(bearer|basic)$/i.test(scheme) && a.length === b.length && timingSafeEqual(a, b)
}

function toApiError(error: unknown): CardApiError {
  if (error instanceof CardApiError) return error
  if (error instanceof FormError) return new CardApiError(400, error.message)
  const { statusCode, message } = error as { statusCode?: number; message: string }
  if (statusCode && statusCode < 500) return new CardApiError(statusCode, message)
  return new CardApiError(500, 'The sandbox failed.', { type: 'api_error' })
}
