import { type Static, Type } from 'typebox'
import { Nullable, OneOf, OptionalReason } from '../../../platform/http/api/schemas.ts'
import { NewRecord } from '../edits/edits.ts'
import { EmojiIdText } from '../emoji-ids/emoji-ids.ts'

/** Owners are plain strings: an invalid owner rejects its row, not the whole request. */
const ImportRow = Type.Object({
  emoji_id: EmojiIdText,
  user_id: Type.Optional(Type.String({ maxLength: 100 })),
  email: Type.Optional(
    Type.String({ maxLength: 320, description: 'Email address that its account has confirmed' }),
  ),
  organization_id: Type.Optional(Type.String({ maxLength: 100 })),
  pubkey: Type.Optional(Type.String({ maxLength: 100 })),
  records: Type.Optional(
    Type.Array(NewRecord, {
      maxItems: 500,
      description:
        'Replace the stored records of the same categories; with `replace_all` all records of the id. Without this member, its records stay as they are.',
    }),
  ),
})
export type ImportRow = Static<typeof ImportRow>

export const Import = Type.Object({
  rows: Type.Array(ImportRow, { minItems: 1, maxItems: 1_000 }),
  dry_run: Type.Optional(
    Type.Boolean({ description: 'Returns what would happen and changes nothing', default: false }),
  ),
  replace_all: Type.Optional(
    Type.Boolean({
      description:
        'The records of a row are all that its id shall have: all others are removed. By default they replace their own categories only: a tag, one ticker of 0x3fff, one token of 0x6300.',
      default: false,
    }),
  ),
  reason: OptionalReason,
})
export type Import = Static<typeof Import>

/** A dry run of many ids stays small enough to send. */
export const listedCharacters = 200

/** With a delay lock, `changed` records take effect later. */
const statuses = ['granted', 'changed', 'unchanged', 'refused'] as const
const listOf = (subject: string) =>
  Type.Array(NewRecord, {
    description: `${subject}; only in a dry run. Data longer than ${listedCharacters} characters ends with “…”.`,
  })
const ImportResult = Type.Object({
  emoji_id: Type.String({ description: 'As sent' }),
  status: OneOf(statuses),
  error: Nullable(Type.Object({ code: Type.String(), message: Type.String() })),
  added: Type.Optional(listOf('The records that the row would add')),
  removed: Type.Optional(listOf('The records that the row would remove')),
})
export type ImportResult = Static<typeof ImportResult>
export const ImportResults = Type.Object({
  data: Type.Array(ImportResult, { description: 'One per row, in the order of the rows' }),
})

export const ExportQuery = Type.Object({
  after: Type.Optional(
    Type.String({ description: '`next` of the previous response; from the start if omitted' }),
  ),
  limit: Type.Integer({ minimum: 1, default: 200, description: 'At most 200 are returned' }),
})
export type ExportQuery = Static<typeof ExportQuery>

const ExportedId = Type.Object({
  emoji_id: Type.String({ description: 'The display format' }),
  user_id: Nullable(Type.String()),
  organization_id: Nullable(Type.String()),
  pubkey: Nullable(Type.String()),
  records: Type.Array(NewRecord),
})
export type ExportedId = Static<typeof ExportedId>
export const ExportedIds = Type.Object({
  data: Type.Array(ExportedId),
  next: Nullable(Type.String({ description: 'Cursor of the next page; null at the end' })),
})
