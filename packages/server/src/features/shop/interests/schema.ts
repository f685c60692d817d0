import { type Static, Type } from 'typebox'
import { pageOf, pagingQuery } from '../../../platform/http/paging.ts'
import { Nullable, Timestamp } from '../../../platform/http/schemas.ts'
import { EmojiIdText } from '../../directory/emoji-ids/index.ts'

export const Interest = Type.Object({
  id: Type.String({ format: 'uuid' }),
  user_id: Type.String({ format: 'uuid' }),
  emoji_id: Type.String({ description: 'Canonical format' }),
  created_at: Timestamp,
  updated_at: Timestamp,
  /** When the email about its availability was queued. */
  notified_at: Nullable(Timestamp),
})
export const InterestPage = pageOf(Interest)
export const InterestQuery = pagingQuery(['created_at', 'updated_at', 'emoji_id'], {
  sort: 'created_at',
  dir: 'Desc',
})
export type InterestQuery = Static<typeof InterestQuery>

export const NewInterest = Type.Object({ emoji_id: EmojiIdText })
export const InterestParams = Type.Object({ emoji_id: EmojiIdText })
