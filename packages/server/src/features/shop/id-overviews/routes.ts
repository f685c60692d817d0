import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { readEmojiId } from '../../directory/emoji-ids/emoji-ids.ts'
import { callerOf } from '../../operations/access/index.ts'
import type { IdOverviews } from './id-overviews.ts'
import { IdOverview, OverviewParams } from './schema.ts'

type Options = { idOverviews: IdOverviews }

export const idOverviewRoutes: FastifyPluginAsyncTypebox<Options> = async (
  app,
  { idOverviews },
) => {
  app.get('/admin/emoji_ids/:emoji_id', {
    config: {
      access: 'adminEmoji:load',
      more_scopes: ['user:show', 'order:read', 'adminEmoji:transfer', 'domainEvent:read'],
    },
    schema: {
      operationId: 'showIdOverview',
      tags: ['Operators'],
      summary: 'Show an id with its owner, reports, orders, transfers and history',
      description: 'Also for ids without an owner. Parts without their scope are absent.',
      params: OverviewParams,
      response: { 200: IdOverview },
    },
    handler: async (request) =>
      idOverviews.showOverview(callerOf(request), readEmojiId(request.params.emoji_id)),
  })
}
