import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { ServiceError } from '../../platform/errors.ts'
import { LockedError, statusOf, toServiceError } from '../../platform/http/faults.ts'
import type { KnownMethods } from '../../platform/http/server/methods.ts'

export const ErrorAnswer = Type.Object({
  error: Type.String({ description: 'What went wrong, for people' }),
  code: Type.String({ description: 'What went wrong, for programs: the code never changes' }),
  request_id: Type.String(),
  fields: Type.Optional(
    Type.Record(
      Type.String(),
      Type.Array(Type.Object({ code: Type.String(), message: Type.String() })),
    ),
  ),
})

export function renderError(error: ServiceError, request: FastifyRequest) {
  const status = statusOf(error.kind)
  // Shipped clients read it after every 422, even if no member is to blame.
  const { fields = status === 422 ? {} : undefined, extra } = error.details
  if (isLookup(request) && (status === 400 || status === 404)) {
    return { status, body: { error: error.message } }
  }
  return {
    status,
    body: {
      error: error.message,
      code: error.code,
      request_id: request.id,
      ...(fields ? { fields } : {}),
      ...extra,
    },
  }
}

/** Covers addresses so malformed that no route matches. */
function isLookup({ method, routeOptions, url }: FastifyRequest): boolean {
  if (routeOptions.url) return routeOptions.config?.errors === 'lookup'
  return (method === 'GET' || method === 'HEAD') && lookupPath.test(url)
}

const lookupPath =
  /^\/api\/emoji_id\/[^/?]*(\/(?!(metadata|rhythm|json|stats|proof|history|changes|delay_lock)\b)[^/?]*)?(\?|$)/

/** The body for a request that never reached a route. */
export const describeFault = (target: string, fault: { error: string }): object =>
  lookupPath.test(target) ? { error: fault.error } : fault

/** The one place where the API turns an error into a response. */
export function sendError(thrownError: unknown, request: FastifyRequest, reply: FastifyReply) {
  const error = toServiceError(thrownError)
  if (!error) return sendInternalError(thrownError, request, reply)
  if (error instanceof LockedError) logFailure(thrownError, request)
  const { status, body } = renderError(error, request)
  const retry = error.details.retry_after_seconds
  if (retry !== undefined) reply.header('retry-after', String(retry))
  const challenge = challengeFor(error)
  if (challenge) reply.header('www-authenticate', challenge)
  reply.header('cache-control', isLookup(request) ? 'no-cache' : 'no-store')
  if (!request.routeOptions.url) reply.header('access-control-allow-origin', '*')
  return reply.code(status).type(json).send(JSON.stringify(body))
}

/** The WWW-Authenticate challenge (RFC 6750). */
function challengeFor({ kind, code }: ServiceError): string | undefined {
  if (kind === 'unauthenticated') {
    return code === 'invalid_token' ? 'Bearer error="invalid_token"' : 'Bearer'
  }
  return code === 'insufficient_scope' ? 'Bearer error="insufficient_scope"' : undefined
}

export function answerUnknownPaths(app: FastifyInstance, methods: KnownMethods): void {
  // A parameter of POST only is unknown to GET.
  app.addHook('onRequest', (request, reply, done) => {
    const isParameter = request.routeOptions.url?.includes(':') === true
    if (isParameter && methods.isWrongAt(request.url, request.method)) reply.callNotFound()
    else done()
  })
  app.setNotFoundHandler((request, reply) => {
    const allowedMethods = methods.at(request.url)
    const isKnown = allowedMethods.length > 0
    if (isKnown) reply.header('allow', allowedMethods.join(', '))
    const body = {
      error: `There is no ${request.method} operation at this path.`,
      code: isKnown ? 'method_not_allowed' : 'unknown_path',
      request_id: request.id,
    }
    return reply
      .code(isKnown ? 405 : 404)
      .type(json)
      .send(JSON.stringify(body))
  })
}

const json = 'application/json; charset=utf-8'

const logFailure = (error: unknown, request: FastifyRequest): void =>
  request.log.error({ err: error, request_id: request.id }, 'A request failed')

function sendInternalError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  logFailure(error, request)
  const body = {
    error: 'Something went wrong on our side.',
    code: 'internal',
    request_id: request.id,
  }
  return reply.code(500).type(json).send(JSON.stringify(body))
}
