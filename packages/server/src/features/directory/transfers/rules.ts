import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { inField, refusal, refusalIn, type ServiceError } from '../../../platform/errors.ts'
import { dayMs, hourMs, hourSeconds, minuteMs } from '../../../platform/time.ts'
import { type User, unconfirmedEmail } from '../../identity/accounts/index.ts'
import { isAdmin, type Principal } from '../../operations/access/index.ts'
import { assertActive } from '../emoji-ids/index.ts'
import type { NewTransfer, TransferView } from './schema.ts'
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

export const codeLastsMs = 15 * minuteMs
const resendAfterMs = minuteMs
export const begunAtMost = 20
/** Transfers to one mailbox, counted over all senders. */
export const begunToAtMost = 40
export const begunWithinMs = hourMs
/** Transfers to an unconfirmed mailbox, over all senders and with deleted ones: it may be a stranger's. */
export const invitedAtMost = 5
export const invitedWithinMs = dayMs

/** Leaves time to report a stolen id. */
export const blockedUntil = (now: Date): Date => new Date(now.getTime() + 72 * hourMs)

/** Letters and digits without lookalikes. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

export const makeCode = (): string =>
  [...randomBytes(8)].map((byte) => alphabet[byte % alphabet.length]).join('')

/** Bound to one side of one transfer: a code is good nowhere else. */
export const codeHmac = (key: Buffer, transfer_id: string, side: Side, code: string): Buffer =>
  createHmac('sha256', key)
    .update(`${side} ${transfer_id} ${code.replaceAll(/[\s-]/g, '').toUpperCase()}`)
    .digest()

/** Counts wrong codes only: an expired code, or one used in another transfer, is no guess. */
export type Verdict = 'right' | 'wrong' | 'late' | 'used'

export function judge({ code_hmac, code_sent_at }: Transfer, given: Buffer, now: Date): Verdict {
  if (!code_hmac || !code_sent_at || !timingSafeEqual(code_hmac, given)) return 'wrong'
  return now.getTime() - code_sent_at.getTime() < codeLastsMs ? 'right' : 'late'
}

export function assertMayResend({ code_sent_at }: Transfer, now: Date): void {
  const waitMs = (code_sent_at?.getTime() ?? 0) + resendAfterMs - now.getTime()
  if (waitMs > 0) throw tooSoon(Math.ceil(waitMs / 1_000))
}

/** The party that confirms with an emailed code; accounts without a mailbox use an authenticator app. */
export const isMailed = ({ email }: User): boolean => email !== null

export function assertCanConfirm(user: User): void {
  if (!isMailed(user) && !user.two_factor_auth.includes('AuthenticatorApp')) {
    throw noMailbox()
  }
}

/** Where it is to go: to a mailbox, or to a key. */
export function readAddressee({ email, pubkey }: NewTransfer) {
  if (Boolean(email) === Boolean(pubkey)) throw addressee()
  return { email: email || null, pubkey: pubkey || null }
}

/** Some lines of text, or nothing. */
export function readMessage(text: string | null | undefined): string | null {
  const message = text?.trim() ?? ''
  if (/[^\P{Cc}\n\r\t]/u.test(message)) throw messageError()
  return message === '' ? null : message
}

export const mayForce = (caller: Principal, { force_transfer }: NewTransfer): boolean =>
  force_transfer === true && isOperator(caller)

/** The party that may request a new code. */
export function assertTurn(caller: Principal, found: Transfer | undefined) {
  const transfer = assertParty(caller, found)
  next(transfer, 'resend_code')
  const side: Side = transfer.status === 'awaiting_sender' ? 'sender' : 'receiver'
  const turn = side === 'sender' ? transfer.sender_id : transfer.recipient_id
  if (turn !== caller.user_id) throw notNow(transfer.status)
  return { transfer, side }
}

/** The mailbox it was addressed to is still theirs. */
export function assertSameMailbox({ email }: Pick<Transfer, 'email'>, recipient: User): void {
  if (email !== '' && recipient.email?.toLowerCase() !== email.toLowerCase()) {
    throw otherMailbox()
  }
}

/** An offer does not reveal that the recipient's account is deactivated. */
export function assertMayReceive(
  { email }: Pick<Transfer, 'email'>,
  recipient: User | undefined,
): asserts recipient is User {
  if (!recipient || email === '') assertActive(recipient)
}

/** Anybody can register with an address; only its owner confirms it. */
export function assertConfirmed(recipient: User): void {
  if (recipient.email !== null && recipient.email_verified_at === null) {
    throw unconfirmed()
  }
}

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

export const wrongCode = (verdict: Exclude<Verdict, 'right'>, isClosed: boolean) => {
  const wrong = isClosed
    ? 'This code is wrong too. The transfer is over; begin a new one.'
    : `This code is wrong. After ${triesAtMost} wrong ones the transfer is over.`
  const messages = {
    wrong,
    late: 'This code is too old. Ask for a new one: …/resend_code.',
    used: 'This code was used already. Wait for the next one of your app.',
  }
  const message = messages[verdict]
  const codes = [verdict, ...(isClosed ? ['closed_transfer'] : [])]
  const fields = { code: codes.map((code) => ({ code, message })) }
  return refusal('refused', `${verdict}_code`, message, { fields })
}

export const open = () =>
  refusalIn(
    'eid',
    'refused',
    'open_transfer',
    'This emoji id is being handed on already. Delete that transfer first.',
  )

export const toSelf = ({ email }: { email: string | null }) => {
  const message = 'Choose somebody else: nobody hands an emoji id on to themselves.'
  const field = email === null ? 'pubkey' : 'email'
  return refusal('refused', 'to_self', message, inField(field, 'to_self', message))
}

export const unknownKey = () =>
  refusalIn(
    'pubkey',
    'refused',
    'unclaimed_pubkey',
    'Nobody has this key, kept here or proven. Ask for another one, or an address.',
    'unknown',
  )

const addressee = () =>
  refusal('invalid', 'missing_receiver', 'Give email or pubkey, and not both.')

const messageError = () =>
  refusal('invalid', 'invalid_text', 'message takes text without control characters.')

const noMailbox = () =>
  refusalIn(
    'email',
    'refused',
    'missing_email',
    'Add an e-mail address to your account, or an authenticator app, first.',
  )

const otherMailbox = () =>
  refusal(
    'refused',
    'other_email',
    'This transfer is addressed to an e-mail address that the receiver has no more. Begin a new one.',
  )

const unconfirmed = () =>
  unconfirmedEmail('The receiver has to confirm their e-mail address first.')

const tooSoon = (retry_after_seconds: number) => {
  const message = 'A code was sent a moment ago. Wait a minute for it.'
  return refusal('limited', 'too_soon', message, { retry_after_seconds })
}

export const tooMany = () => {
  const message = 'You have begun many transfers within an hour. Try again later.'
  return refusal('limited', 'too_many_transfers', message, { retry_after_seconds: hourSeconds })
}

export const tooManyInvited = () => {
  const message =
    'This mailbox was offered emoji ids three times within a day, and nobody confirmed it yet. Ask its owner to sign up, or try again tomorrow.'
  return refusal('limited', 'too_many_transfers', message, { retry_after_seconds: hourSeconds })
}

export const tooManyTo = () => {
  const message = 'Many transfers to this mailbox were begun within an hour. Try again later.'
  return refusal('limited', 'too_many_transfers', message, { retry_after_seconds: hourSeconds })
}

export const noCode = () =>
  refusal('refused', 'no_mail', 'You have no e-mail address. Give a code of your app instead.')
