import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../operations/access/index.ts'
import * as schema from './schema.ts'
import type { LootboxTypes } from './types.ts'

type Options = { lootboxTypes: LootboxTypes }

export const lootboxTypeRoutes: FastifyPluginAsyncTypebox<Options> = async (app, options) => {
  const { lootboxTypes } = options
  const tags = ['Operators']

  app.route({
    method: 'POST',
    url: '/lootbox_type',
    bodyLimit: 64 * 1024,
    config: { access: 'adminLootbox:write', sensitive: true, idempotent: true },
    schema: {
      operationId: 'createLootBoxType',
      tags,
      summary: 'Create a lootbox type',
      description: 'A type is never changed: make another one instead.',
      body: schema.NewLootboxType,
      response: { 200: schema.LootboxTypeView },
    },
    handler: async (request) => lootboxTypes.createType(callerOf(request), request.body),
  })

  app.route({
    method: 'GET',
    url: '/lootbox_type',
    config: { access: 'adminLootbox:read' },
    schema: {
      operationId: 'listLootBoxTypes',
      tags,
      summary: 'List lootbox types, newest first',
      response: { 200: schema.LootboxTypeList },
    },
    handler: async () => lootboxTypes.listTypes(),
  })
}
