import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../operations/access/index.ts'
import type { Figures } from './figures.ts'
import { FigureSet } from './schema.ts'

export const figureRoutes: FastifyPluginAsyncTypebox<{ figures: Figures }> = async (
  app,
  { figures },
) => {
  app.get('/admin/figures', {
    config: { access: ['order:read', 'refund:read', 'user:list', 'domainAction:read'] },
    schema: {
      operationId: 'showFigures',
      tags: ['Operators'],
      summary: 'Show sales, sign-ups, refunds and queues of the last 30 days',
      description: 'Counted at most once a minute. Figures without their scope are absent.',
      response: { 200: FigureSet },
    },
    handler: async (request) => figures.showFigures(callerOf(request)),
  })
}
