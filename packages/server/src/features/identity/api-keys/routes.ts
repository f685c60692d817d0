import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import { groupRoutes, Nullable, ShownName, Timestamp } from '../../../platform/http/api/schemas.ts'
import { callerOf, ScopeName } from '../../operations/access/access.ts'
import type { ApiKeys } from './api-keys.ts'

export const NewKey = Type.Object({
  name: ShownName,
  expires_at: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'Never by default',
    }),
  ),
  scopes: Type.Optional(
    Type.Array(ScopeName, {
      description:
        'The scopes of the key. By default all of your own scopes, without those in organizations',
    }),
  ),
})
export type NewKey = Static<typeof NewKey>

const KeyView = Type.Object({
  id: Type.String({ format: 'uuid' }),
  api_key: Type.String({
    description: 'The whole key in the response to its creation, later only its prefix',
  }),
  name: Type.String(),
  scopes: Type.Array(ScopeName),
  created_at: Timestamp,
  expires_at: Nullable(Timestamp),
  last_used_at: Type.Optional(Nullable(Timestamp)),
  last_used_network: Type.Optional(
    Nullable(Type.String({ description: 'The prefix of the IP address of the last use' })),
  ),
  last_used_agent: Type.Optional(
    Nullable(Type.String({ description: 'The User-Agent of the last use' })),
  ),
})
const KeyList = Type.Array(KeyView)
const KeyParams = Type.Object({ id: Type.String({ minLength: 1 }) })
const ForQuery = Type.Object({
  user_id: Type.Optional(Type.String({ format: 'uuid', description: 'Needs adminUser:loginAs' })),
})
const OwnerQuery = Type.Object({
  user_id: Type.Optional(Type.String({ format: 'uuid', description: 'Needs adminUser:load' })),
})

type Options = { apiKeys: ApiKeys }

export const apiKeyRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { apiKeys }) => {
  groupRoutes(app, 'API keys')

  app.post('/api_keys', {
    config: {
      per_minute: 300,
      access: 'user:createApiKey',
      more_scopes: ['adminUser:loginAs'],
      sensitive: 'code_or_sign_in',
      idempotent: 'secret',
    },
    schema: {
      operationId: 'createApiKey',
      summary: 'Create an API key',
      description:
        'A key can hold the scopes that its owner has in organizations, if you name them. They follow the membership. With adminUser:loginAs you can create keys for accounts of a lower role; we email their owners.',
      querystring: ForQuery,
      body: NewKey,
      response: { 200: KeyView },
    },
    handler: async (request) =>
      apiKeys.createKey(callerOf(request), request.body, request.query.user_id),
  })

  app.get('/api_keys', {
    config: { access: 'user:createApiKey', more_scopes: ['adminUser:load'] },
    schema: {
      operationId: 'listApiKeys',
      summary: 'List API keys',
      querystring: OwnerQuery,
      response: { 200: KeyList },
    },
    handler: async (request) => apiKeys.listKeys(callerOf(request), request.query.user_id),
  })

  app.delete('/api_keys/:id', {
    config: { access: 'user:createApiKey', sensitive: 'code_or_nothing' },
    schema: {
      operationId: 'deleteApiKey',
      summary: 'Delete an API key',
      params: KeyParams,
      response: { 200: KeyView },
    },
    handler: async (request) => apiKeys.removeKey(callerOf(request), request.params.id),
  })
}
