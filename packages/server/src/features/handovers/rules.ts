import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { inField, ServiceError } from '../../platform/errors.ts'
import type { Principal } from '../access/index.ts'
import type { User } from '../accounts/index.ts'
import { assertActive } from '../emoji-ids/index.ts'
import {
  assertParty,
  isOperator,
  NotNowError,
  next,
  type Side,
  type Transfer,
  triesAtMost,
} from '../transfers/index.ts'
import type { NewTransfer } from './schema.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
export const codeLastsMs = 15 * minuteMs
const resendAfterMs = minuteMs
export const begunAtMost = 20
/** To one mailbox, by whomever. */
export const begunToAtMost = 40
export const begunWithinMs = hourMs

/** As long as somebody might still turn up and say that it was stolen. */
export const blockedUntil = (now: Date): Date => new Date(now.getTime() + 72 * hourMs)

/** Letters and digits that nobody takes for one another. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

export const makeCode = (): string =>
  [...randomBytes(8)].map((byte) => alphabet[byte % alphabet.length]).join('')

/** Bound to one side of one transfer: a code is good nowhere else. */
export const codeHmac = (key: Buffer, transfer_id: string, side: Side, code: string): Buffer =>
  createHmac('sha256', key)
    .update(`${side} ${transfer_id} ${code.replaceAll(/[\s-]/g, '').toUpperCase()}`)
    .digest()

/** Only wrong ones are counted: nobody guesses one that is late, or was used at another place. */
export type Verdict = 'right' | 'wrong' | 'late' | 'used'

export function judge({ code_hmac, code_sent_at }: Transfer, given: Buffer, now: Date): Verdict {
  if (!code_hmac || !code_sent_at || !timingSafeEqual(code_hmac, given)) return 'wrong'
  return now.getTime() - code_sent_at.getTime() < codeLastsMs ? 'right' : 'late'
}

export function assertMayResend({ code_sent_at }: Transfer, now: Date): void {
  const waitMs = (code_sent_at?.getTime() ?? 0) + resendAfterMs - now.getTime()
  if (waitMs > 0) throw new TooSoonError(Math.ceil(waitMs / 1_000))
}

/** Who confirms with a mailed code; whoever has no mailbox does so with an authenticator app. */
export const isMailed = ({ email }: User): boolean => email !== null

export function assertCanConfirm(user: User): void {
  if (!isMailed(user) && !user.two_factor_auth.includes('AuthenticatorApp')) {
    throw new NoMailboxError()
  }
}

/** Where it is to go: to a mailbox, or to a key. */
export function readAddressee({ email, pubkey }: NewTransfer) {
  if (Boolean(email) === Boolean(pubkey)) throw new AddresseeError()
  return { email: email || null, pubkey: pubkey || null }
}

/** Some lines of text, or nothing. */
export function readMessage(text: string | null | undefined): string | null {
  const message = text?.trim() ?? ''
  if (/[^\P{Cc}\n\r\t]/u.test(message)) throw new MessageError()
  return message === '' ? null : message
}

export const mayForce = (caller: Principal, { force_transfer }: NewTransfer): boolean =>
  force_transfer === true && isOperator(caller)

/** Whose turn it is to ask for a new code. */
export function assertTurn(caller: Principal, found: Transfer | undefined) {
  const transfer = assertParty(caller, found)
  next(transfer, 'resend_code')
  const side: Side = transfer.status === 'awaiting_sender' ? 'sender' : 'receiver'
  const turn = side === 'sender' ? transfer.sender_id : transfer.recipient_id
  if (turn !== caller.user_id) throw new NotNowError(transfer.status)
  return { transfer, side }
}

/** The mailbox it was addressed to is still theirs. */
export function assertSameMailbox({ email }: Pick<Transfer, 'email'>, recipient: User): void {
  if (email !== '' && recipient.email?.toLowerCase() !== email.toLowerCase()) {
    throw new OtherMailboxError()
  }
}

/** Nobody learns from an offer whether the account behind a mailbox is shut out. */
export function assertMayReceive(
  { email }: Pick<Transfer, 'email'>,
  recipient: User | undefined,
): asserts recipient is User {
  if (!recipient || email === '') assertActive(recipient)
}

/** Anybody can register with an address; only its owner confirms it. */
export function assertConfirmed(recipient: User): void {
  if (recipient.email !== null && recipient.email_verified_at === null) {
    throw new UnconfirmedError()
  }
}

export class WrongCodeError extends ServiceError {
  override readonly name = 'Handovers.WrongCodeError'
  constructor(verdict: Exclude<Verdict, 'right'>, isClosed: boolean) {
    const wrong = isClosed
      ? 'This code is wrong too. The transfer is over; begin a new one.'
      : `This code is wrong. After ${triesAtMost} wrong ones the transfer is over.`
    const messages = {
      wrong,
      late: 'This code is too old. Ask for a new one: …/resend_code.',
      used: 'This code was used already. Wait for the next one of your app.',
    }
    const message = messages[verdict]
    const codes = [verdict, ...(isClosed ? ['transfer_closed'] : [])]
    const fields = { code: codes.map((code) => ({ code, message })) }
    super('refused', `${verdict}_code`, message, { fields })
  }
}

export class OpenError extends ServiceError {
  override readonly name = 'Handovers.OpenError'
  constructor() {
    const message = 'This emoji id is being handed on already. Delete that transfer first.'
    super('refused', 'transfer_open', message, inField('eid', 'transfer_open', message))
  }
}

export class ToSelfError extends ServiceError {
  override readonly name = 'Handovers.ToSelfError'
  constructor({ email }: { email: string | null }) {
    const message = 'Choose somebody else: nobody hands an emoji id on to themselves.'
    const field = email === null ? 'pubkey' : 'email'
    super('refused', 'to_self', message, inField(field, 'to_self', message))
  }
}

export class UnknownKeyError extends ServiceError {
  override readonly name = 'Handovers.UnknownKeyError'
  constructor() {
    const message = 'Nobody has this key, kept here or proven. Ask for another one, or an address.'
    super('refused', 'unknown_key', message, inField('pubkey', 'unknown', message))
  }
}

class AddresseeError extends ServiceError {
  override readonly name = 'Handovers.AddresseeError'
  constructor() {
    super('invalid', 'missing_receiver', 'Give email or pubkey, and not both.')
  }
}

class MessageError extends ServiceError {
  override readonly name = 'Handovers.MessageError'
  constructor() {
    super('invalid', 'invalid_text', 'message takes text without control characters.')
  }
}

class NoMailboxError extends ServiceError {
  override readonly name = 'Handovers.NoMailboxError'
  constructor() {
    const message = 'Add an e-mail address to your account, or an authenticator app, first.'
    super('refused', 'add_email', message, inField('email', 'add_email', message))
  }
}

class OtherMailboxError extends ServiceError {
  override readonly name = 'Handovers.OtherMailboxError'
  constructor() {
    super(
      'refused',
      'other_email',
      'This transfer is addressed to an e-mail address that the receiver has no more. Begin a new one.',
    )
  }
}

class UnconfirmedError extends ServiceError {
  override readonly name = 'Handovers.UnconfirmedError'
  constructor() {
    const message = 'The receiver has to confirm their e-mail address first.'
    super('refused', 'unconfirmed_email', message, inField('email', 'unconfirmed', message))
  }
}

class TooSoonError extends ServiceError {
  override readonly name = 'Handovers.TooSoonError'
  constructor(retry_after_seconds: number) {
    const message = 'A code was sent a moment ago. Wait a minute for it.'
    super('limited', 'too_soon', message, { retry_after_seconds })
  }
}

export class TooManyError extends ServiceError {
  override readonly name = 'Handovers.TooManyError'
  constructor() {
    const message = 'You have begun many transfers within an hour. Try again later.'
    super('limited', 'too_many_transfers', message, { retry_after_seconds: 3_600 })
  }
}

export class TooManyToError extends ServiceError {
  override readonly name = 'Handovers.TooManyToError'
  constructor() {
    const message = 'Many transfers to this mailbox were begun within an hour. Try again later.'
    super('limited', 'too_many_transfers', message, { retry_after_seconds: 3_600 })
  }
}

export class NoCodeError extends ServiceError {
  override readonly name = 'Handovers.NoCodeError'
  constructor() {
    super('refused', 'no_mail', 'You have no e-mail address. Give a code of your app instead.')
  }
}
