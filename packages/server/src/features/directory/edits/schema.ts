import { type Static, Type } from 'typebox'
import { OptionalReason } from '../../../platform/http/api/schemas.ts'
import { EmojiIdText } from '../emoji-ids/emoji-ids.ts'

export const NewRecord = Type.Object({
  data: Type.String(),
  tag: Type.String({ description: 'Hex, such as 0x1003' }),
})
export type NewRecord = Static<typeof NewRecord>

const Hash = Type.String({ maxLength: 200 })
export const Edit = Type.Object({
  insert: Type.Optional(Type.Array(NewRecord, { maxItems: 500 })),
  delete: Type.Optional(Type.Array(Hash, { maxItems: 500 })),
  bypass_single_restrictions: Type.Optional(Type.Boolean()),
  order: Type.Optional(
    Type.Array(Hash, {
      maxItems: 500,
      description: 'The hashes of all records after this edit, in their new order',
    }),
  ),
  merkle_root: Type.Optional(Type.String({ description: 'Over the resulting records' })),
  signature: Type.Optional(
    Type.String({ description: 'By the key of the id: R and s, 128 hex digits' }),
  ),
  reason: OptionalReason,
})
export type Edit = Static<typeof Edit>

export const IdParams = Type.Object({ emoji_id: EmojiIdText })
export const ChangedIds = Type.Array(Type.String())
