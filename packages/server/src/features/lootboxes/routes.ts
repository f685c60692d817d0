import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listOf } from '../../platform/http/api/paging.ts'
import { groupRoutes, OptionalReasonBody } from '../../platform/http/api/schemas.ts'
import { callerOf } from '../operations/access/access.ts'
import type { Lootboxes } from './lootboxes.ts'
import * as schema from './schema.ts'

type Options = { lootboxes: Lootboxes }

export const lootboxRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { lootboxes }) => {
  groupRoutes(app, 'Lootboxes')
  const forOperators = { tags: ['Operators'] }
  const params = schema.LootboxParams
  const response = { 200: schema.LootboxView }

  app.post('/lootbox_type', {
    bodyLimit: 64 * 1024,
    config: { access: 'adminLootbox:write', sensitive: 'code_or_nothing', idempotent: true },
    schema: {
      operationId: 'createLootBoxType',
      ...forOperators,
      summary: 'Create a lootbox type',
      description: 'A type can’t be changed: create another one instead.',
      body: schema.NewLootboxType,
      response: { 200: schema.LootboxTypeView },
    },
    handler: async (request) => lootboxes.createType(callerOf(request), request.body),
  })

  app.get('/lootbox_type', {
    config: {
      access: 'adminLootbox:read',
      csv: [
        'id',
        'name',
        'description',
        'config.size',
        'config.min_length',
        'config.max_length',
        'price_in_cents',
        'exhausted_at',
        'created_at',
      ],
    },
    schema: {
      operationId: 'listLootBoxTypes',
      ...forOperators,
      summary: 'List lootbox types, newest first',
      response: { 200: schema.LootboxTypeList },
    },
    handler: async () => lootboxes.listTypes(),
  })

  app.post('/lootbox_type/generate', {
    config: { access: 'adminLootbox:write', sensitive: 'code_or_nothing', idempotent: true },
    schema: {
      operationId: 'generateLootBoxes',
      ...forOperators,
      summary: 'Generate a set of lootboxes',
      description:
        'Each is a Draft with its own seed, whose hash is published. Once the ids of one of its ranges run out, a type draws no more boxes.',
      body: schema.GenerationRequest,
      response: { 200: schema.LootboxSet },
    },
    handler: async (request) => lootboxes.generateLootboxes(callerOf(request), request.body),
  })

  app.post('/lootboxes', {
    config: { access: 'adminLootbox:write', sensitive: 'code_or_nothing', idempotent: true },
    schema: {
      operationId: 'createLootBox',
      ...forOperators,
      summary: 'Create a lootbox',
      description: 'Reserves its ids. Owned and Used need an owner; Used opens it immediately.',
      body: schema.NewLootbox,
      response,
    },
    handler: async (request) => lootboxes.createLootbox(callerOf(request), request.body),
  })

  app.get('/lootboxes', {
    config: {
      access: ['adminLootbox:read', 'lootbox:use'],
      csv: [
        'id',
        'status',
        'total_value',
        'average_rhythm_score',
        'owner_email',
        'seed_hash',
        'created_at',
        'withheld',
      ],
    },
    schema: {
      operationId: 'listLootBoxes',
      summary: 'List lootboxes',
      description:
        'All boxes for operators, own boxes for other users. If boxes are sold, status=Available lists those for sale, without boxes in checkouts of other buyers.',
      ...listOf(schema.LootboxQuery, schema.LootboxView),
    },
    handler: async (request) => lootboxes.listLootboxes(callerOf(request), request.query),
  })

  app.get('/lootboxes/:id', {
    config: { access: ['adminLootbox:read', 'lootbox:use'] },
    schema: {
      operationId: 'showLootBox',
      summary: 'Show a lootbox',
      params,
      response,
    },
    handler: async (request) => lootboxes.showLootboxTo(callerOf(request), request.params.id),
  })

  app.patch('/lootboxes/:id', {
    config: { access: 'adminLootbox:write', sensitive: 'code_or_nothing' },
    schema: {
      operationId: 'updateLootBox',
      ...forOperators,
      summary: 'Update a lootbox',
      params,
      body: schema.LootboxChange,
      response,
    },
    handler: async (request) =>
      lootboxes.changeLootbox(callerOf(request), request.params.id, request.body),
  })

  app.delete('/lootboxes/:id', {
    config: { access: 'adminLootbox:write', sensitive: 'code_or_nothing' },
    schema: {
      operationId: 'deleteLootBox',
      ...forOperators,
      summary: 'Delete a lootbox',
      description: 'Only without an owner. Its ids become available again.',
      params,
      querystring: OptionalReasonBody,
      response,
    },
    handler: async (request) =>
      lootboxes.deleteLootbox(callerOf(request), request.params.id, request.query.reason),
  })

  app.post('/lootboxes/:id/open', {
    config: { access: 'lootbox:use', idempotent: true },
    schema: {
      operationId: 'openLootBox',
      summary: 'Open a lootbox',
      description: 'The owner gets all of its ids. A repeat returns the same result.',
      params,
      response,
    },
    handler: async (request) => lootboxes.openLootbox(callerOf(request), request.params.id),
  })

  app.get('/lootboxes/:id/proof', {
    config: { access: 'public', per_minute: 120 },
    schema: {
      operationId: 'proveLootBox',
      summary: 'Verify a lootbox',
      description:
        'Before opening: how it is drawn, and hashes of its secrets. After opening: the secrets, and whether they lead to its ids.',
      params,
      response: { 200: schema.LootboxProof },
    },
    handler: async ({ params: { id } }) => lootboxes.proveLootbox(id),
  })
}
