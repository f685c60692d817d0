import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../access/index.ts'
import { KeyList, KeyParams, KeyView, NewKey, OwnerQuery } from './schema.ts'
import type { ApiKeys } from './service.ts'

type Options = { apiKeys: ApiKeys }

export const apiKeyRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { apiKeys }) => {
  const tags = ['API keys']

  app.route({
    method: 'POST',
    url: '/api_keys',
    config: { access: 'user:createApiKey', sensitive: true, idempotent: 'secret' },
    schema: {
      ...{ operationId: 'createApiKey', tags, summary: 'Make an API key' },
      ...{ querystring: OwnerQuery, body: NewKey, response: { 200: KeyView } },
    },
    handler: async (request) =>
      apiKeys.create(callerOf(request), request.body, request.query.user_id),
  })

  app.route({
    method: 'GET',
    url: '/api_keys',
    config: { access: 'user:createApiKey' },
    schema: {
      ...{ operationId: 'listApiKeys', tags, summary: 'List API keys' },
      ...{ querystring: OwnerQuery, response: { 200: KeyList } },
    },
    handler: async (request) => apiKeys.list(callerOf(request), request.query.user_id),
  })

  app.route({
    method: 'DELETE',
    url: '/api_keys/:id',
    config: { access: 'user:createApiKey', sensitive: true },
    schema: {
      ...{ operationId: 'deleteApiKey', tags, summary: 'Delete an API key' },
      ...{ params: KeyParams, response: { 200: KeyView } },
    },
    handler: async (request) => apiKeys.remove(callerOf(request), request.params.id),
  })
}
