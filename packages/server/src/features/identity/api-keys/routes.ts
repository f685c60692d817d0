import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../operations/access/index.ts'
import type { ApiKeys } from './api-keys.ts'
import { ForQuery, KeyList, KeyParams, KeyView, NewKey, OwnerQuery } from './schema.ts'

type Options = { apiKeys: ApiKeys }

export const apiKeyRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { apiKeys }) => {
  const tags = ['API keys']

  app.route({
    method: 'POST',
    url: '/api_keys',
    config: {
      rateLimit: { max: 300, timeWindow: 60_000 },
      access: 'user:createApiKey',
      more_scopes: ['adminUser:loginAs'],
      sensitive: 'code_or_sign_in',
      idempotent: 'secret',
    },
    schema: {
      operationId: 'createApiKey',
      tags,
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

  app.route({
    method: 'GET',
    url: '/api_keys',
    config: { access: 'user:createApiKey', more_scopes: ['adminUser:load'] },
    schema: {
      operationId: 'listApiKeys',
      tags,
      summary: 'List API keys',
      querystring: OwnerQuery,
      response: { 200: KeyList },
    },
    handler: async (request) => apiKeys.listKeys(callerOf(request), request.query.user_id),
  })

  app.route({
    method: 'DELETE',
    url: '/api_keys/:id',
    config: { access: 'user:createApiKey', sensitive: 'code_or_nothing' },
    schema: {
      operationId: 'deleteApiKey',
      tags,
      summary: 'Delete an API key',
      params: KeyParams,
      response: { 200: KeyView },
    },
    handler: async (request) => apiKeys.removeKey(callerOf(request), request.params.id),
  })
}
