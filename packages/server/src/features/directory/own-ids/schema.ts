import { type Static, Type } from 'typebox'
import { pageOf, pagingQuery } from '../../../platform/http/paging.ts'
import { Nullable, OneOf, Timestamp } from '../../../platform/http/schemas.ts'

const ways = ['bought', 'given', 'received'] as const

const OwnId = Type.Object({
  emoji_id: Type.String({ description: 'The display format' }),
  canonical_format: Type.String(),
  shortname: Type.String(),
  came_by: OneOf(ways),
  since: Type.Unsafe<Date>({ ...Timestamp, description: 'When it came to its owner' }),
  blocked_until: Nullable(Timestamp),
  signed_until: Type.Unsafe<Date | null>({
    ...Nullable(Timestamp),
    description: 'Until when a signature to mint it is good: it stays with its owner',
  }),
  minted: Type.Boolean(),
  frozen_at: Type.Optional(
    Nullable(
      Type.Unsafe<Date>({
        ...Timestamp,
        description: 'Since when it is frozen because the payment for it is disputed',
      }),
    ),
  ),
})
export const OwnIdPage = pageOf(OwnId)

export const OwnIdQuery = Type.Object({
  ...pagingQuery(['created_at'], { sort: 'created_at', dir: 'Desc' }).properties,
  q: Type.Optional(
    Type.String({ maxLength: 200, description: 'Emojis that the id has, or words of their names' }),
  ),
})
export type OwnIdQuery = Static<typeof OwnIdQuery>
