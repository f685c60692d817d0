import { storeKeys } from '@emojid/core'
import { type Static, Type } from 'typebox'
import { Nullable, OneOf, OptionalReason, Timestamp } from '../../../platform/http/api/schemas.ts'
import { NewRecord } from '../edits/edits.ts'
import { EmojiIdText } from '../emoji-ids/emoji-ids.ts'

const StoreKey = OneOf(storeKeys)
export type StoreKey = (typeof storeKeys)[number]

export const StoreEntry = Type.Object({
  created_at: Timestamp,
  data: Type.Unknown({ description: 'Any JSON; {} when nothing is stored' }),
  is_locked: Type.Boolean({ description: 'Also true once locked_future_writes_at has passed' }),
  updated_at: Timestamp,
  locked_future_writes_at: Nullable(Timestamp),
})
export type StoreEntry = Static<typeof StoreEntry>

export const StoreBody = Type.Object({
  data: Type.Unknown({
    description:
      'Any JSON, at most 256,000 bytes. Under VisualizerFileLocations an object; its gif, image, video and webm are absolute http or https addresses.',
  }),
  linked_tags: Type.Optional(
    Type.Array(NewRecord, {
      maxItems: 100,
      description:
        'Records that belong to this entry; they replace those of the previous write. Without this member those stay; an empty list removes them.',
    }),
  ),
  if_updated_at: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'Refuses the write (409) if the entry has another updated_at',
    }),
  ),
  reason: OptionalReason,
})
export type StoreBody = Static<typeof StoreBody>
export const LockBody = Type.Object({
  is_locked: Type.Boolean(),
  locked_future_writes_at: Type.Optional(Type.String({ format: 'date-time' })),
  reason: OptionalReason,
})
export type LockBody = Static<typeof LockBody>

export const StoreParams = Type.Object({ eid: EmojiIdText })
export const EntryParams = Type.Object({ eid: EmojiIdText, key: StoreKey })
export const KeysQuery = Type.Object({
  keys: Type.Union([Type.String(), Type.Array(Type.String())], {
    description: 'Store keys, joined by commas or repeated',
  }),
})
export const StoreEntries = Type.Record(Type.String(), StoreEntry)

export const RedirectQuery = Type.Object({ emoji_id: EmojiIdText, link: Type.String() })
