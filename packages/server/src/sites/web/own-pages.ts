import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../platform/errors.ts'
import { readBodies } from '../../platform/http/api/bodies.ts'
import { statusOf, toServiceError } from '../../platform/http/faults.ts'
import { readCookies } from '../../platform/http/pages/cookies.ts'

/** Attributes of this site's cookies: no script reads them, no other site sends them. */
export const cookieAttributes = {
  path: '/',
  secure: true,
  httpOnly: true,
  sameSite: 'lax',
} as const

/** Calls for pages of this site only; errors have the shape of the API. */
export async function serveOwnPages(app: FastifyInstance, webUrl: string): Promise<void> {
  const ownOrigin = new URL(webUrl).origin
  await readCookies(app)
  readBodies(app)
  app.setErrorHandler(sendError)
  app.addHook('onRequest', async ({ headers }) => {
    const { 'sec-fetch-site': site, origin } = headers
    const isOwn = site ? site === 'same-origin' : origin === undefined || origin === ownOrigin
    if (!isOwn)
      throw new ServiceError('forbidden', 'foreign_page', 'Only our own pages can call this.')
  })
}

/** A member of the body; anything but text is empty. */
export function member({ body }: FastifyRequest, name: string): string {
  const value = (body as Partial<Record<string, unknown>> | null | undefined)?.[name]
  return typeof value === 'string' ? value : ''
}

function sendError(thrownError: unknown, request: FastifyRequest, reply: FastifyReply) {
  const error = toServiceError(thrownError)
  if (!error)
    request.log.error({ err: thrownError, request_id: request.id }, 'A page request failed')
  const retry = error?.details.retry_after_seconds
  if (retry !== undefined) reply.header('retry-after', String(retry))
  return reply.code(error ? statusOf(error.kind) : 500).send({
    error: error?.message ?? 'Something went wrong on our side. Please try again.',
    code: error?.code ?? 'server_error',
    request_id: request.id,
    ...error?.details.extra,
    ...(error?.details.fields ? { fields: error.details.fields } : {}),
  })
}
