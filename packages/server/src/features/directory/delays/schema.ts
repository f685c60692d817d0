import { type Static, Type } from 'typebox'
import { Nullable, OneOf, OptionalReason, Timestamp } from '../../../platform/http/api/schemas.ts'
import { EmojiIdText } from '../emoji-ids/emoji-ids.ts'

const Record = Type.Object({ tag: Type.String(), data: Type.String(), hash: Type.String() })

export const IdParams = Type.Object({ emoji_id: EmojiIdText })

export const NewLock = Type.Object({
  hours: Type.Integer({
    minimum: 0,
    maximum: 72,
    description: 'Hours that changed payment addresses wait; 0 switches the lock off',
  }),
  reason: OptionalReason,
})
export type NewLock = Static<typeof NewLock>

export const Lock = Type.Object({
  hours: Type.Integer({
    description: 'Hours that changed payment addresses wait; 0: they take effect immediately',
  }),
  next_hours: Nullable(Type.Integer({ description: 'The lower number that is waiting' })),
  next_at: Nullable(Timestamp),
  waiting: Nullable(
    Type.Object({
      asked_at: Timestamp,
      changes_at: Timestamp,
      by: OneOf(['you', 'colleague', 'other']),
      removed: Type.Array(Record),
      added: Type.Array(Record),
      order: Nullable(
        Type.Array(Record, {
          description: 'The payment records in their new order; null if the order stays',
        }),
      ),
    }),
  ),
})
export type Lock = Static<typeof Lock>
