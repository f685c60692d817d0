import { type Static, Type } from 'typebox'
import { Nullable, OptionalReason } from '../../../platform/http/schemas.ts'
import { EmojiIdText } from '../emoji-ids/index.ts'

const Flag = (description: string) => Type.Optional(Nullable(Type.Boolean({ description })))

export const NewTransfer = Type.Object({
  eid: EmojiIdText,
  email: Type.Optional(Nullable(Type.String({ description: 'Give this or pubkey' }))),
  pubkey: Type.Optional(Nullable(Type.String({ pattern: '^[0-9a-fA-F]{64}$' }))),
  clear_on_transfer: Flag('Records, store entries and pictures do not go along'),
  force_transfer: Flag('At once, without codes. Takes effect with adminEmoji:transfer'),
  message: Type.Optional(Nullable(Type.String({ maxLength: 1_000 }))),
  reason: OptionalReason,
})
export type NewTransfer = Static<typeof NewTransfer>

export const Acceptance = Type.Object({
  code: Type.String({
    maxLength: 100,
    description: 'From the mail; of an authenticator app for accounts without an e-mail address',
  }),
})

export const MovedIds = Type.Array(Type.String())
