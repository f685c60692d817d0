import { refusal, type ServiceError } from '../../../platform/errors.ts'
import { dayMs } from '../../../platform/time.ts'
import type { User } from '../../identity/accounts/index.ts'
import { isAdmin, type Principal } from '../../operations/access/index.ts'
import type { TransferView } from './schema.ts'
import type { Status, Transfer } from './table.ts'

export type Trigger = 'sender_accept' | 'receiver_accept' | 'resend_code' | 'delete' | 'close'
export type Side = 'sender' | 'receiver'

/** What leads from one state to the next. Whatever does not stand here is refused. */
const transitions: Record<Status, Partial<Record<Trigger, Status>>> = {
  awaiting_sender: {
    sender_accept: 'awaiting_receiver',
    resend_code: 'awaiting_sender',
    delete: 'closed',
    close: 'closed',
  },
  awaiting_receiver: {
    receiver_accept: 'accepted',
    resend_code: 'awaiting_receiver',
    delete: 'closed',
    close: 'closed',
  },
  // Only marked: the id does not move back.
  accepted: { delete: 'accepted' },
  closed: { delete: 'closed' },
}

export function next({ status }: Pick<Transfer, 'status'>, trigger: Trigger): Status {
  const state = transitions[status][trigger]
  if (!state) throw notNow(status)
  return state
}

export const triesAtMost = 5

/** How long one may stay open. */
export const openSince = (now: Date): Date => new Date(now.getTime() - 7 * dayMs)

/** Whether they send or receive it; operators act for others. */
export const isParty = ({ user_id }: Principal, { sender_id, recipient_id }: Transfer): boolean =>
  [sender_id, recipient_id].includes(user_id)

/** Strangers do not even learn that it is there. */
export function assertParty(caller: Principal, transfer: Transfer | undefined, side?: Side) {
  const isSender = transfer?.sender_id === caller.user_id
  const isReceiver = transfer?.recipient_id === caller.user_id
  if (!transfer || !(isSender || isReceiver)) throw unknownTransfer()
  if (side && !(side === 'sender' ? isSender : isReceiver)) throw otherSide(side)
  return transfer
}

export const isOperator = (caller: Principal): boolean =>
  isAdmin(caller) && caller.scopes.has('adminEmoji:transfer')

/** What is addressed to a mailbox is not for who has not shown that it is theirs. */
export const isVisibleTo = ({ email, email_verified_at }: User): boolean =>
  email === null || email_verified_at !== null

export type Ending =
  | 'deleted'
  | 'wrong_codes'
  | 'too_old'
  | 'id_gone'
  | 'account_gone'
  | 'revoked'
  | 'forced'

const endings: Record<Ending, string> = {
  deleted: 'was called off',
  wrong_codes: 'ended after too many wrong codes',
  too_old: 'ended, since it was not completed within seven days',
  id_gone: 'ended, since the emoji id was given back',
  account_gone: 'ended, since one of the two accounts is gone',
  revoked: 'ended, since the access to the account of its sender was taken back',
  forced: 'ended, since an operator moved the emoji id',
}
export const endingOf = (ending: Ending, emoji_id: string): string =>
  `Handing on the emoji id ${emoji_id} ${endings[ending]}.`

/** What both sides see of it. */
export const show = (transfer: Transfer): TransferView => ({
  id: transfer.id,
  eid: transfer.emoji_id,
  email: transfer.email,
  recipient_id: transfer.recipient_id,
  clear_on_transfer: transfer.clear_on_transfer,
  created_at: transfer.created_at,
  accepted_at: transfer.accepted_at,
  deleted_at: transfer.deleted_at,
  message: transfer.message,
  sender_code_accepted_at: transfer.sender_code_accepted_at,
})

const unknownTransfer = () => refusal('not_found', 'unknown_transfer', 'There is no such transfer.')

const otherSide = (side: Side) => sideRefusals[side]()

const sideRefusals: Record<Side, () => ServiceError> = {
  sender: () => refusal('forbidden', 'sender_only', 'This is for the sender of the transfer.'),
  receiver: () =>
    refusal('forbidden', 'receiver_only', 'This is for the receiver of the transfer.'),
}

export const notNow = (status: Status) => obstacles[status]()

const obstacles: Record<Status, () => ServiceError> = {
  awaiting_sender: () =>
    refusal('refused', 'unconfirmed_transfer', 'The sender has to confirm this transfer first.'),
  awaiting_receiver: () =>
    refusal(
      'refused',
      'confirmed_transfer',
      'The sender has confirmed this transfer; the receiver is next.',
    ),
  accepted: () => refusal('refused', 'accepted_transfer', 'This transfer was accepted already.'),
  closed: () => refusal('refused', 'closed_transfer', 'This transfer is over. Begin a new one.'),
}
