import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { networkOf } from '../../../platform/http/network.ts'
import { anyCallerOf, callerOf } from '../../operations/access/index.ts'
import type { Catalog } from './catalog.ts'
import { costs } from './limits.ts'
import * as schema from './schema.ts'

type Options = { catalog: Catalog; requiresToken: boolean }

export const catalogRoutes: FastifyPluginAsyncTypebox<Options> = async (app, options) => {
  const { catalog, requiresToken } = options
  const tags = ['Catalog']
  const config = {
    access: requiresToken ? 'user' : 'anybody',
    // The response says whether an id is in the caller's cart or on their watchlist.
    key_scopes: ['cart:show', 'userInterest:read'],
    limited: true,
  } as const

  app.route({
    method: 'GET',
    url: '/emoji_id/search',
    config,
    onRequest: async ({ ip }) => catalog.limits.ids.spend(networkOf(ip), costs.search),
    schema: {
      operationId: 'searchEmojiId',
      tags,
      summary: 'Price, availability and alternatives',
      description:
        'The rate limit counts the ids that a search inspects: a network may search 100 times at once, and then 30 times per second.',
      querystring: schema.SearchQuery,
      response: { 200: schema.SearchAnswer },
    },
    handler: async (request) => catalog.searchIds(request.query.emoji_id, anyCallerOf(request)),
  })

  app.route({
    method: 'GET',
    url: '/emoji_id/random',
    config,
    onRequest: async ({ ip }) => catalog.limits.ids.spend(networkOf(ip), costs.random),
    schema: {
      operationId: 'randomEmojiIds',
      tags,
      summary: 'Ten random ids that are available',
      response: { 200: schema.ItemList },
    },
    handler: async (request) => catalog.suggestRandomIds(anyCallerOf(request)),
  })

  app.route({
    method: 'GET',
    url: '/emoji_id/recent',
    config,
    onRequest: async ({ ip }) => catalog.limits.ids.spend(networkOf(ip), costs.recent),
    schema: {
      operationId: 'recentEmojiIds',
      tags,
      summary: 'Recently registered ids',
      response: { 200: schema.ItemList },
    },
    handler: async (request) => catalog.listRecentIds(anyCallerOf(request)),
  })

  app.route({
    method: 'GET',
    url: '/admin/prices',
    config: { access: 'adminPriceParameters:read' },
    schema: {
      operationId: 'listPrices',
      tags: ['Operators'],
      summary: 'List price tables, newest first',
      response: { 200: schema.PriceTables },
    },
    handler: async () => catalog.listPriceTables(),
  })

  app.route({
    method: 'POST',
    url: '/admin/prices',
    config: {
      access: 'adminPriceParameters:write',
      sensitive: 'code_or_nothing',
      idempotent: true,
    },
    schema: {
      operationId: 'setPrices',
      tags: ['Operators'],
      summary: 'Set a new price table',
      body: schema.NewPrices,
      response: { 200: schema.PriceTable },
    },
    handler: async (request) => catalog.setPrices(callerOf(request), request.body),
  })
}
