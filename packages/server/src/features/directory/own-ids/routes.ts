import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import { listOf, pagingQuery } from '../../../platform/http/api/paging.ts'
import { Nullable, OneOf, SearchText, Timestamp } from '../../../platform/http/api/schemas.ts'
import { callerOf } from '../../operations/access/access.ts'
import type { OwnIds } from './own-ids.ts'

const ways = ['bought', 'given', 'received'] as const

const OwnId = Type.Object({
  emoji_id: Type.String({ description: 'The display format' }),
  canonical_format: Type.String(),
  shortname: Type.String(),
  came_by: OneOf(ways),
  since: Type.Unsafe<Date>({ ...Timestamp, description: 'When its owner got it' }),
  blocked_until: Nullable(Timestamp),
  signed_until: Type.Unsafe<Date | null>({
    ...Nullable(Timestamp),
    description: 'Until when a mint signature is valid; the id can’t leave its owner before that',
  }),
  minted: Type.Boolean(),
  frozen_at: Type.Optional(
    Nullable(
      Type.Unsafe<Date>({
        ...Timestamp,
        description: 'Since when it is frozen because its payment is disputed',
      }),
    ),
  ),
  suspended_at: Type.Optional(
    Nullable(
      Type.Unsafe<Date>({
        ...Timestamp,
        description: 'Since when an operator has suspended it',
      }),
    ),
  ),
  suspension_reason: Type.Optional(Nullable(Type.String())),
})

export const OwnIdQuery = Type.Object({
  ...pagingQuery(['created_at'], { sort: 'created_at', dir: 'Desc' }).properties,
  q: SearchText('Emojis of the id, or words of their names'),
})
export type OwnIdQuery = Static<typeof OwnIdQuery>

export const ownIdRoutes: FastifyPluginAsyncTypebox<{ ownIds: OwnIds }> = async (
  app,
  { ownIds },
) => {
  app.get('/account/emoji_ids', {
    config: {
      access: 'user',
      key_scopes: ['userEmoji:list'],
      cost: 'by_use_case',
      csv: ['emoji_id', 'shortname', 'came_by', 'since', 'minted', 'suspended_at'],
    },
    schema: {
      operationId: 'listAccountEmojiIds',
      tags: ['Own ids'],
      summary: 'List own ids page by page, with dates',
      ...listOf(OwnIdQuery, OwnId),
    },
    handler: async (request) => ownIds.listOwnIds(callerOf(request).user_id, request.query),
  })
}
