import { emojiAlphabet, rhythmScore, shapeMatch } from '@emojid/core'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { listOf } from '../../../platform/http/api/paging.ts'
import { groupRoutes, Nothing } from '../../../platform/http/api/schemas.ts'
import { callerOf } from '../../operations/access/access.ts'
import type { EmojiIds } from './emoji-ids.ts'
import { readEmojiId } from './rules.ts'
import * as schema from './schema.ts'
import { EmojiIdText, EmojiList, Rhythm, Shape } from './schema.ts'

/** Public facts about ids. */
export const emojiIdRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const params = Type.Object({ emoji_id: EmojiIdText })
  groupRoutes(app, 'Directory')

  app.get('/emoji', {
    config: { access: 'public' },
    schema: {
      operationId: 'listEmoji',
      summary: 'List supported emoji characters',
      response: { 200: EmojiList },
    },
    handler: async () => [...emojiAlphabet],
  })

  app.get('/emoji_id/:emoji_id/metadata', {
    config: { access: 'public' },
    schema: {
      operationId: 'emojiIdMetadata',
      summary: 'Shape of an id',
      params,
      response: { 200: Shape },
    },
    handler: async ({ params: { emoji_id } }) => shapeMatch(readEmojiId(emoji_id)),
  })

  app.get('/emoji_id/:emoji_id/rhythm', {
    config: { access: 'public' },
    schema: {
      operationId: 'emojiIdRhythm',
      summary: 'Rhythm score of an id',
      params,
      response: { 200: Rhythm },
    },
    handler: async ({ params: { emoji_id } }) => ({ rhythm: rhythmScore(readEmojiId(emoji_id)) }),
  })
}

/** Ownership of ids. */
export const owningRoutes: FastifyPluginAsyncTypebox<{ emojiIds: EmojiIds }> = async (
  app,
  options,
) => {
  const { emojiIds } = options
  groupRoutes(app, 'Own ids')

  app.get('/emoji_id', {
    config: {
      access: 'user',
      key_scopes: ['userEmoji:list', 'organizationEmoji:list', 'adminEmoji:load'],
      for_applications: true,
      cost: 'by_use_case',
    },
    schema: {
      operationId: 'listEmojiIds',
      summary: 'List own ids',
      querystring: schema.OwnerQuery,
      response: { 200: schema.DisplayList },
    },
    handler: async (request) => {
      const ownedIds = await emojiIds.listIds(callerOf(request), request.query)
      return ownedIds.map(({ display_format }) => display_format)
    },
  })

  app.get('/emoji_id/extended', {
    config: {
      access: 'user',
      key_scopes: ['userEmoji:list', 'organizationEmoji:list', 'adminEmoji:load'],
      for_applications: true,
      cost: 'by_use_case',
    },
    schema: {
      operationId: 'listEmojiIdsExtended',
      summary: 'List own ids with details',
      querystring: schema.OwnerQuery,
      response: { 200: schema.ExtendedList },
    },
    handler: async (request) => emojiIds.listIdsExtended(callerOf(request), request.query),
  })

  app.delete('/emoji_id/:emoji_id', {
    config: {
      access: 'user',
      key_scopes: ['userData:update', 'adminEmoji:write'],
      sensitive: 'code_or_nothing',
    },
    schema: {
      operationId: 'releaseEmojiId',
      summary: 'Release an id',
      description:
        'Deletes its records, store entries and history immediately. The id becomes available to every buyer.',
      params: schema.IdParams,
      response: { 200: Nothing },
    },
    handler: async (request) => {
      await emojiIds.releaseOwnId(callerOf(request), readEmojiId(request.params.emoji_id))
      return {}
    },
  })

  app.post('/admin/emoji_ids', {
    config: { access: 'adminEmoji:register', sensitive: 'code_or_nothing', idempotent: true },
    schema: {
      operationId: 'grantEmojiId',
      tags: ['Operators'],
      summary: 'Grant an id',
      body: schema.Grant,
      response: { 200: schema.ListItem },
    },
    handler: async (request) => emojiIds.grantId(callerOf(request), request.body),
  })

  app.delete('/admin/emoji_ids/:emoji_id', {
    config: { access: 'adminEmoji:destroy', sensitive: 'code_or_nothing' },
    schema: {
      operationId: 'destroyEmojiId',
      tags: ['Operators'],
      summary: 'Revoke an id',
      description: 'The id is not for sale immediately: it rests, or is reserved for good.',
      params: schema.IdParams,
      querystring: schema.Revocation,
      response: { 200: Nothing },
    },
    handler: async (request) => {
      const id = readEmojiId(request.params.emoji_id)
      await emojiIds.releaseAnyId(callerOf(request), id, request.query)
      return {}
    },
  })
}

/** The list of ids that are not for sale. */
export const reservedRoutes: FastifyPluginAsyncTypebox<{ emojiIds: EmojiIds }> = async (
  app,
  { emojiIds },
) => {
  groupRoutes(app, 'Operators')

  app.get('/admin/reserved_ids', {
    config: {
      access: 'adminEmoji:load',
      csv: ['pattern', 'reason', 'reserved_by', 'reserved_at'],
      csv_path: 'csv',
    },
    schema: {
      operationId: 'listReservedIds',
      summary: 'List reserved ids and patterns',
      ...listOf(schema.ReservedQuery, schema.ReservedId),
    },
    handler: async ({ query }) => emojiIds.listReserved(query),
  })

  app.post('/admin/reserved_ids/import', {
    bodyLimit: 1024 * 1024,
    config: {
      members: 5_000,
      access: 'adminEmoji:register',
      sensitive: 'code_or_nothing',
      idempotent: true,
    },
    schema: {
      operationId: 'importReservedIds',
      summary: 'Reserve up to 1,000 ids and patterns in one request',
      description:
        'Reserved ids are not for sale and in no lootbox. Owners keep their ids, and operators can still grant them. Importing the same rows again changes nothing.',
      body: schema.ReservedImport,
      response: { 200: schema.ReservedResults },
    },
    handler: async (request) => ({
      data: await emojiIds.reserveIds(callerOf(request), request.body),
    }),
  })

  app.get('/admin/reserved_ids/export', {
    config: { access: 'adminEmoji:load' },
    schema: {
      operationId: 'exportReservedIds',
      summary: 'Export the reserved list',
      description: 'Rows have the same form as in an import.',
      querystring: schema.ReservedExportQuery,
      response: { 200: schema.ReservedExport },
    },
    handler: async ({ query }) => emojiIds.exportReserved(query),
  })

  app.delete('/admin/reserved_ids', {
    config: { access: 'adminEmoji:register', sensitive: 'code_or_nothing' },
    schema: {
      operationId: 'removeReservedId',
      summary: 'Remove an entry of the reserved list',
      querystring: schema.ReservedRemoval,
      response: { 200: Nothing },
    },
    handler: async (request) => {
      const { pattern, reason } = request.query
      await emojiIds.unreserveId(callerOf(request), pattern, reason)
      return {}
    },
  })
}
