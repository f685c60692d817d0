import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../operations/access/index.ts'
import type { LootboxGeneration } from './generation.ts'
import { GenerationRequest, LootboxSet } from './schema.ts'

type Options = { lootboxGeneration: LootboxGeneration }

export const lootboxGenerationRoutes: FastifyPluginAsyncTypebox<Options> = async (app, options) => {
  app.route({
    method: 'POST',
    url: '/lootbox_type/generate',
    config: { access: 'adminLootbox:write', sensitive: true, idempotent: true },
    schema: {
      operationId: 'generateLootBoxes',
      tags: ['Operators'],
      summary: 'Generate a set of lootboxes',
      description:
        'Each is a Draft with a seed of its own, whose hash is published. Once ids of one of its ranges run out, a type draws no more.',
      body: GenerationRequest,
      response: { 200: LootboxSet },
    },
    handler: async (request) =>
      options.lootboxGeneration.generateLootboxes(callerOf(request), request.body),
  })
}
