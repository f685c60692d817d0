import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { minuteMs } from '../../../platform/time.ts'
import type { LootboxProofs } from './proofs.ts'
import { LootboxProof, ProofParams } from './schema.ts'

type Options = { lootboxProofs: LootboxProofs }

export const lootboxProofRoutes: FastifyPluginAsyncTypebox<Options> = async (app, options) => {
  app.route({
    method: 'GET',
    url: '/lootboxes/:id/proof',
    config: { access: 'public', rateLimit: { max: 120, timeWindow: minuteMs } },
    schema: {
      operationId: 'proveLootBox',
      tags: ['Lootboxes'],
      summary: 'Verify a lootbox',
      description:
        'From its making on: how it is drawn, and hashes of what is secret. Once it is opened: the secrets, and whether they give its ids.',
      params: ProofParams,
      response: { 200: LootboxProof },
    },
    handler: async ({ params: { id } }) => options.lootboxProofs.proveLootbox(id),
  })
}
