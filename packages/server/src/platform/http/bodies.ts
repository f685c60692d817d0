import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ServiceError } from '../errors.ts'
import { parseJsonBody } from './json-body.ts'

/** Bodies are JSON; nothing and `null` count as no body, whatever their declared type. */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      refuseEncoded(request)
      return parseJsonBody(body) ?? undefined
    },
  )
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer' },
    async (_request: FastifyRequest, body: Buffer) => {
      if (body.length === 0) return undefined
      throw new ServiceError(
        'invalid',
        'unsupported_media_type',
        'Send the body as application/json.',
      )
    },
  )
  app.addHook('preValidation', async (request) => {
    dropNullOptionals(request)
  })
}

function refuseEncoded({ headers }: FastifyRequest): void {
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new ServiceError('invalid', 'unsupported_encoding', 'Send the body without compression.')
  }
}

type ObjectSchema = { properties?: Record<string, unknown>; required?: readonly string[] }

/** Shipped clients send optional members as `null`: that means "not given". */
function dropNullOptionals({ body, routeOptions }: FastifyRequest): void {
  const schema = routeOptions.schema?.body as ObjectSchema | undefined
  if (!schema?.properties || typeof body !== 'object' || body === null) return
  const members = body as Record<string, unknown>
  for (const name of Object.keys(schema.properties)) {
    if (members[name] === null && !schema.required?.includes(name)) delete members[name]
  }
}
