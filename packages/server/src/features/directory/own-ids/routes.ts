import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../operations/access/index.ts'
import type { OwnIds } from './own-ids.ts'
import { OwnIdPage, OwnIdQuery } from './schema.ts'

export const ownIdRoutes: FastifyPluginAsyncTypebox<{ ownIds: OwnIds }> = async (
  app,
  { ownIds },
) => {
  app.route({
    method: 'GET',
    url: '/account/emoji_ids',
    config: {
      access: 'user',
      key_scopes: ['userEmoji:list'],
      limited: true,
      csv: ['emoji_id', 'shortname', 'came_by', 'since', 'minted', 'suspended_at'],
    },
    schema: {
      operationId: 'listAccountEmojiIds',
      tags: ['Own ids'],
      summary: 'List own ids page by page, with dates',
      querystring: OwnIdQuery,
      response: { 200: OwnIdPage },
    },
    handler: async (request) => ownIds.listOwnIds(callerOf(request).user_id, request.query),
  })
}
