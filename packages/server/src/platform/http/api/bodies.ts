import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ServiceError } from '../../errors.ts'
import { takeTurn } from '../../turns.ts'
import { networkOf } from '../network.ts'
import { parseJsonBody } from './json.ts'

/** Bodies are JSON; an empty body and `null` count as no body, whatever the content type. */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      refuseEncoded(request)
      await takeTurn(networkOf(request.ip))
      return parseJsonBody(body, request.routeOptions.config.members) ?? undefined
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
  app.addHook('preValidation', async ({ body, routeOptions }) => {
    dropNulls(body, routeOptions.schema?.body as Schema | undefined)
  })
}

function refuseEncoded({ headers }: FastifyRequest): void {
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new ServiceError('invalid', 'unsupported_encoding', 'Send the body without compression.')
  }
}

type Schema = {
  properties?: Record<string, Schema>
  required?: readonly string[]
  items?: Schema
}

/** Shipped clients send absent members as `null`. */
function dropNulls(value: unknown, schema: Schema | undefined): void {
  if (typeof value !== 'object' || value === null || !schema) return
  if (Array.isArray(value)) {
    for (const item of value) dropNulls(item, schema.items)
    return
  }
  const members = value as Record<string, unknown>
  for (const [name, ofMember] of Object.entries(schema.properties ?? {})) {
    if (members[name] === null && !schema.required?.includes(name)) delete members[name]
    else dropNulls(members[name], ofMember)
  }
}
