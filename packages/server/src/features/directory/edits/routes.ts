import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../operations/access/access.ts'
import { readEmojiId } from '../emoji-ids/emoji-ids.ts'
import type { Edits } from './edits.ts'
import { ChangedIds, Edit, IdParams } from './schema.ts'

export const editRoutes: FastifyPluginAsyncTypebox<{ edits: Edits }> = async (app, { edits }) => {
  app.patch('/emoji_id/:emoji_id', {
    bodyLimit: 512 * 1024,
    config: {
      members: 4_000,
      access: 'user',
      sensitive: 'code_or_nothing_keys_too',
      cost: 'by_use_case',
      key_scopes: ['userData:update', 'organizationEmoji:write', 'adminEmoji:write'],
    },
    schema: {
      operationId: 'editEmojiId',
      tags: ['Own ids'],
      summary: 'Change the records of an id',
      description:
        'Atomic: deletes by hash, then inserts, then the new `order`. A record that replaces another one of its kind takes its place; other new records come last. Returns the changed ids; an edit without effect makes no version. If the id has a delay lock, payment addresses change later: the header `x-changes-at` says when, and an id without an immediate change is not returned. A signature is R and s over "{chain format} {merkle_root}" in the domain "emojid/records/v1".',
      params: IdParams,
      body: Edit,
      response: { 200: ChangedIds },
    },
    handler: async (request, reply) => {
      const id = readEmojiId(request.params.emoji_id)
      const { changed, changes_at } = await edits.editRecords(callerOf(request), id, request.body)
      if (changes_at) reply.header('x-changes-at', changes_at.toISOString())
      return changed
    },
  })
}
