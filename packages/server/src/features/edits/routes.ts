import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../access/index.ts'
import { readEmojiId } from '../emoji-ids/index.ts'
import { ChangedIds, Edit, IdParams } from './schema.ts'
import type { Edits } from './service.ts'

export const editRoutes: FastifyPluginAsyncTypebox<{ edits: Edits }> = async (app, { edits }) => {
  app.route({
    method: 'PATCH',
    url: '/emoji_id/:emoji_id',
    bodyLimit: 512 * 1024,
    config: { members: 4_000, access: 'user', sensitive: 'for_keys_too' },
    schema: {
      ...{ operationId: 'editEmojiId', tags: ['Own ids'], summary: 'Change the records of an id' },
      description:
        'All or nothing: deletes by hash, then inserts. Answers the ids that were changed; what changes nothing makes no version. A signature is R and s over "{chain format} {merkle_root}" in the domain "emojid/records/v1".',
      ...{ params: IdParams, body: Edit, response: { 200: ChangedIds } },
    },
    handler: async (request) =>
      edits.edit(callerOf(request), readEmojiId(request.params.emoji_id), request.body),
  })
}
