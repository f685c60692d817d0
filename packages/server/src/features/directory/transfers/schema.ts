import { textLengths } from '@emojid/core'
import { type Static, Type } from 'typebox'
import { pageOf, pagingQuery } from '../../../platform/http/api/paging.ts'
import { Hex32, Nullable, OptionalReason, Timestamp } from '../../../platform/http/api/schemas.ts'
import { EmojiIdText } from '../emoji-ids/emoji-ids.ts'
import { recordsAfterUndoAtMost } from '../records/records.ts'

const Uuid = Type.String({ format: 'uuid' })
export const TransferView = Type.Object({
  id: Uuid,
  eid: Type.String({ description: 'Canonical format' }),
  email: Type.String({ description: 'Email address as sent; empty for a transfer to a key' }),
  recipient_id: Type.String({
    format: 'uuid',
    description:
      'For the recipient and operators: the account, or the organization that has the key. For the sender: an id made for this sender and this address or key, which is no account id',
  }),
  clear_on_transfer: Type.Boolean(),
  created_at: Timestamp,
  accepted_at: Nullable(Timestamp),
  deleted_at: Nullable(Timestamp),
  sender_code_accepted_at: Nullable(Timestamp),
  message: Nullable(Type.String()),
  token_stays: Type.Optional(
    Type.Boolean({
      description:
        'For the recipient: whether the id has a token on a blockchain that does not come along, or may have one. Accepting then needs without_token',
    }),
  ),
  sender: Nullable(
    Type.String({ description: 'Email address of the sender, if the sender agreed to show it' }),
  ),
})
export type TransferView = Static<typeof TransferView>
export const TransferPage = pageOf(TransferView)
export const TransferList = Type.Array(TransferView)

export const OutgoingQuery = Type.Object({
  ...pagingQuery(['created_at', 'accepted_at'], { sort: 'created_at', dir: 'Desc' }).properties,
  accepted_after: Type.Optional(Type.String({ format: 'date-time' })),
  sender_id: Type.Optional(Type.String({ format: 'uuid', description: 'Needs Admin' })),
})
export type OutgoingQuery = Static<typeof OutgoingQuery>

export const IncomingQuery = Type.Object({
  accepted: Type.Optional(Type.Boolean({ description: 'Includes accepted transfers' })),
})

export const TransferParams = Type.Object({ transfer_id: Uuid })

const Flag = (description: string) => Type.Optional(Nullable(Type.Boolean({ description })))

export const NewTransfer = Type.Object({
  eid: EmojiIdText,
  email: Type.Optional(Nullable(Type.String({ description: 'Send this or pubkey' }))),
  pubkey: Type.Optional(Nullable(Hex32)),
  clear_on_transfer: Flag('Records, store entries and pictures are deleted, not transferred'),
  force_transfer: Flag(
    'Transfers the id immediately, without codes. Needs adminEmoji:transfer, else it has no effect, and `reason` or, from clients that know no reason, `message`',
  ),
  message: Type.Optional(
    Nullable(
      Type.String({
        ...textLengths.transferMessage,
        description: 'The email to the recipient quotes its start',
      }),
    ),
  ),
  without_token: Flag(
    'For force_transfer of a minted id: the operator confirms that its token does not come along. Needs a reason',
  ),
  show_sender: Flag('The recipient sees the confirmed email address of the sender'),
  reason: OptionalReason,
})
export type NewTransfer = Static<typeof NewTransfer>

export const Acceptance = Type.Object({
  code: Type.String({
    maxLength: 1_024,
    description:
      'From the email: its code, or the token of its link. Accounts without an email address send a code of their authenticator app, or their password if they have no app',
  }),
})

export const ReceiverAcceptance = Type.Object({
  ...Acceptance.properties,
  without_token: Type.Optional(
    Type.Boolean({
      description:
        'The recipient knows that the token of the id stays with its holder. Needed if token_stays',
    }),
  ),
  shown_records: Type.Optional(
    Type.Array(Type.String({ maxLength: 64 }), {
      maxItems: recordsAfterUndoAtMost,
      description:
        'The hashes of the records that the recipient saw. If others come with the id by now, it is not accepted',
    }),
  ),
})
export type ReceiverAcceptance = Static<typeof ReceiverAcceptance>

export const MovedIds = Type.Array(Type.String())
