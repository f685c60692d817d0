import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import {
  groupRoutes,
  Nullable,
  OneOf,
  ReasonText,
  Timestamp,
} from '../../../platform/http/api/schemas.ts'
import { anyCallerOf, callerOf } from '../../operations/access/access.ts'
import { EmojiIdText, Shape } from '../emoji-ids/emoji-ids.ts'
import { Metric } from '../stats/stats.ts'
import { type Catalog, costs } from './catalog.ts'

const availabilities = ['Available', 'Taken', 'InCart', 'ComingSoon', 'NoPrice'] as const
export type Availability = (typeof availabilities)[number]

const Item = Type.Object({
  emoji_id: Type.String({ description: 'Canonical format' }),
  available: Type.Boolean(),
  availability: OneOf(availabilities),
  price: Nullable(
    Type.Integer({ description: 'US cents; 0 when it is not available, null when it is reserved' }),
  ),
  length: Type.Integer(),
  rhythm_score: Type.Integer(),
  shape: Shape,
  short_names: Type.Array(Type.String()),
  flippable_emoji: Type.Array(Type.Boolean()),
  minted: Type.Boolean(),
  generation: Nullable(Type.Integer()),
  origin: Nullable(
    Type.String({
      description:
        'How a registered id came into the directory: Purchase, LootBox or Grant. Null for other ids',
    }),
  ),
  stats: Type.Array(Metric),
  copy: Nullable(
    Type.Object({
      description: Type.String(),
      features: Type.Array(Type.String({ description: 'Why it has this score' })),
    }),
  ),
})
export type Item = Static<typeof Item>

const SearchQuery = Type.Object({ emoji_id: EmojiIdText })
const SearchAnswer = Type.Object({ result: Item, alternates: Type.Array(Item) })
const ItemList = Type.Object({ result: Type.Array(Item) })

const Price = Nullable(Type.Integer({ minimum: 1, maximum: 100_000_000 }))
const PriceTable = Type.Object({
  version: Type.Integer({ description: '0 for the built-in prices' }),
  prices: Type.Array(Nullable(Type.Integer())),
  reason: Nullable(Type.String()),
  actor_id: Nullable(Type.String({ description: 'The operator who set it' })),
  created_at: Nullable(Timestamp),
})
const PriceTables = Type.Array(PriceTable)
export const NewPrices = Type.Object(
  {
    prices: Type.Array(Price, {
      minItems: 100,
      maxItems: 100,
      description: 'US cents by score from 1 to 100; null: not for sale',
    }),
    reason: ReasonText,
    based_on: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'The version that this change is based on; 409 if it is no longer current',
      }),
    ),
  },
  // A misspelled based_on must not overwrite newer prices.
  { additionalProperties: false },
)
export type NewPrices = Static<typeof NewPrices>

type Options = { catalog: Catalog; requiresToken: boolean }

export const catalogRoutes: FastifyPluginAsyncTypebox<Options> = async (app, options) => {
  const { catalog, requiresToken } = options
  groupRoutes(app, 'Catalog')
  const config = {
    access: requiresToken ? 'user' : 'anybody',
    // The response says whether an id is in the caller's cart or on their watchlist.
    key_scopes: ['cart:show', 'userInterest:read'],
  } as const

  app.get('/emoji_id/search', {
    config: { ...config, cost: [catalog.searches, costs.search] },
    schema: {
      operationId: 'searchEmojiId',
      summary: 'Price, availability and alternatives',
      description:
        'The rate limit counts the ids that a search inspects: a network may search 100 times at once, and then 30 times per second.',
      querystring: SearchQuery,
      response: { 200: SearchAnswer },
    },
    handler: async (request) => catalog.searchIds(request.query.emoji_id, anyCallerOf(request)),
  })

  app.get('/emoji_id/random', {
    config: { ...config, cost: [catalog.searches, costs.random] },
    schema: {
      operationId: 'randomEmojiIds',
      summary: 'Ten random ids that are available',
      response: { 200: ItemList },
    },
    handler: async (request) => catalog.suggestRandomIds(anyCallerOf(request)),
  })

  app.get('/emoji_id/recent', {
    config: { ...config, cost: [catalog.searches, costs.recent] },
    schema: {
      operationId: 'recentEmojiIds',
      summary: 'Recently registered ids',
      response: { 200: ItemList },
    },
    handler: async (request) => catalog.listRecentIds(anyCallerOf(request)),
  })

  app.get('/admin/prices', {
    config: { access: 'adminPriceParameters:read' },
    schema: {
      operationId: 'listPrices',
      tags: ['Operators'],
      summary: 'List price tables, newest first',
      response: { 200: PriceTables },
    },
    handler: async () => catalog.listPriceTables(),
  })

  app.post('/admin/prices', {
    config: {
      access: 'adminPriceParameters:write',
      sensitive: 'code_or_nothing',
      idempotent: true,
    },
    schema: {
      operationId: 'setPrices',
      tags: ['Operators'],
      summary: 'Set a new price table',
      body: NewPrices,
      response: { 200: PriceTable },
    },
    handler: async (request) => catalog.setPrices(callerOf(request), request.body),
  })
}
