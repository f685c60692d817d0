import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { inField, refusal, refusalIn, type ServiceError } from '../../../platform/errors.ts'
import { isReason } from '../../../platform/http/api/schemas.ts'
import { dayMs, hourMs, hourSeconds, minuteMs } from '../../../platform/time.ts'
import { deriveUuid } from '../../../platform/uuid.ts'
import { isUnclaimed, type User, unconfirmedEmail } from '../../identity/accounts/accounts.ts'
import { isAdmin, mayInOrganization, type Principal } from '../../operations/access/access.ts'
import { assertActive } from '../emoji-ids/emoji-ids.ts'
import type { Status, Transfer } from './repository.ts'
import type { NewTransfer, TransferView } from './schema.ts'

export type Trigger = 'sender_accept' | 'receiver_accept' | 'resend_code' | 'delete' | 'close'
export type Side = 'sender' | 'receiver'

/** The transitions of the state machine. All others are refused. */
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

export function nextStatus({ status }: Pick<Transfer, 'status'>, trigger: Trigger): Status {
  const state = transitions[status][trigger]
  if (!state) throw notNow(status)
  return state
}

export const triesAtMost = 5

/** Open transfers from before this time have expired. */
export const openSince = (now: Date): Date => new Date(now.getTime() - 7 * dayMs)

/** Whether the caller accepts ids for the organization: a member in a power role. */
const receivesFor = (caller: Principal, organization_id: string): boolean =>
  caller.memberships.has(organization_id) &&
  mayInOrganization(caller, organization_id, 'organizationEmoji:write')

/** The organizations whose incoming transfers the caller may accept. */
export const organizationsOf = (caller: Principal): string[] =>
  [...caller.memberships.keys()].filter((id) => receivesFor(caller, id))

export const isReceiver = (
  caller: Principal,
  { recipient_id, organization_id }: Pick<Transfer, 'recipient_id' | 'organization_id'>,
): boolean =>
  organization_id === null ? recipient_id === caller.user_id : receivesFor(caller, organization_id)

/** Whether the caller sends or receives it. Operators act for other users. */
export const isParty = (caller: Principal, transfer: Transfer): boolean =>
  transfer.sender_id === caller.user_id || isReceiver(caller, transfer)

/** Other users get the same error as for an unknown transfer. */
export function assertParty(caller: Principal, transfer: Transfer | undefined, side?: Side) {
  const isSender = transfer?.sender_id === caller.user_id
  const receives = transfer !== undefined && isReceiver(caller, transfer)
  if (!transfer || !(isSender || receives)) throw unknownTransfer()
  if (side && !(side === 'sender' ? isSender : receives)) throw otherSide(side)
  return transfer
}

export const isOperator = (caller: Principal): boolean =>
  isAdmin(caller) && caller.scopes.has('adminEmoji:transfer')

/** Only a confirmed email address shows transfers that were sent to it. */
export const isVisibleTo = ({ email, email_verified_at }: User): boolean =>
  email === null || email_verified_at !== null

export type Ending =
  | 'deleted'
  | 'declined'
  | 'wrong_codes'
  | 'too_old'
  | 'id_gone'
  | 'account_gone'
  | 'revoked'
  | 'forced'

const endings: Record<Ending, string> = {
  deleted: 'was cancelled',
  declined: 'was declined by the recipient',
  wrong_codes: 'ended after too many wrong codes',
  too_old: 'expired, because it was not completed within seven days',
  id_gone: 'ended, because the emoji id was released',
  account_gone: 'ended, because one of the two accounts was deleted',
  revoked: 'ended, because the access to the sender’s account was revoked',
  forced: 'ended, because an operator transferred the emoji id',
}
export const endingOf = (ending: Ending, emoji_id: string): string =>
  `The transfer of the emoji id ${emoji_id} ${endings[ending]}.`

/** The email address of a sender who agreed to show it; only a confirmed one names a person. */
export const shownSender = (
  { shows_sender }: Pick<Transfer, 'shows_sender'>,
  sender: Pick<User, 'email' | 'email_verified_at'> | undefined,
): string | null => (shows_sender && sender?.email_verified_at ? sender.email : null)

/**
 * An account id connects the keys and ids of a person with each other. Only the recipient and
 * operators who may see users get it. For others the id is derived from what they know already, so
 * that it is equal for two transfers to one key, and different for the key and the mailbox of one
 * account.
 */
function shownRecipient(key: Buffer, caller: Principal, transfer: Transfer): string {
  const { id, sender_id, recipient_id, organization_id, pubkey, email } = transfer
  if (isReceiver(caller, transfer) || caller.scopes.has('user:show'))
    return recipient_id ?? organization_id ?? ''
  // The address of a deleted account is gone.
  const addressee = (pubkey ?? email.toLowerCase()) || id
  return deriveUuid(key, sender_id, addressee)
}

type Viewer = { recipientKey: Buffer; caller: Principal }

export const show = (
  { recipientKey, caller }: Viewer,
  transfer: Transfer,
  sender: string | null = null,
): TransferView => ({
  id: transfer.id,
  eid: transfer.emoji_id,
  email: transfer.email,
  recipient_id: shownRecipient(recipientKey, caller, transfer),
  clear_on_transfer: transfer.clear_on_transfer,
  created_at: transfer.created_at,
  accepted_at: transfer.accepted_at,
  deleted_at: transfer.deleted_at,
  message: transfer.message,
  sender,
  sender_code_accepted_at: transfer.sender_code_accepted_at,
})

/** The sender confirms immediately; a recipient may read the email hours later. */
export const codeLastsMs: Record<Side, number> = { sender: 15 * minuteMs, receiver: dayMs }
const resendAfterMs = minuteMs
export const begunAtMost = 20
/** The rate limit of transfers to one mailbox, over all senders. */
export const begunToAtMost = 40
export const begunWithinMs = hourMs
/**
 * The rate limit of transfers to an unconfirmed mailbox, over all senders and including deleted
 * ones: it may belong to a stranger.
 */
export const invitedAtMost = 5
export const invitedWithinMs = dayMs

/**
 * The rate limit of offers from one sender to one key or mailbox that ended without an acceptance.
 * Ids that the recipient accepts are not limited by it. After as many to one account, by any of its
 * names, further offers send it no email.
 */
export const endedAtMost = 5
export const endedWithinMs = dayMs

/** For an offer without email to its recipient. */
export const silentCode = { code_hmac: null, code_sent_at: null }

export const isSilent = ({ code_sent_at }: Transfer): boolean => code_sent_at === null

/** The subject of notifications: a repeated offer replaces the unread one. */
export const subjectOf = ({ sender_id, emoji_id }: Pick<Transfer, 'sender_id' | 'emoji_id'>) =>
  `transfer ${sender_id} ${emoji_id}`

/** Leaves a victim of theft time to report it. */
export const blockedUntil = (now: Date): Date => new Date(now.getTime() + 72 * hourMs)

/** Letters and digits that are not confused with each other. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

export const makeCode = (): string =>
  [...randomBytes(8)].map((byte) => alphabet[byte % alphabet.length]).join('')

/** Bound to one side of one transfer, so that a code cannot be reused elsewhere. */
export const codeHmac = (key: Buffer, transfer_id: string, side: Side, code: string): Buffer =>
  createHmac('sha256', key)
    .update(`${side} ${transfer_id} ${code.replaceAll(/[\s-]/g, '').toUpperCase()}`)
    .digest()

/** Only wrong codes count as guesses, not expired or reused ones. */
export type Verdict = 'right' | 'wrong' | 'late' | 'used'

export function judge(
  { code_hmac, code_sent_at, status }: Transfer,
  hmac: Buffer,
  now: Date,
): Verdict {
  const side: Side = status === 'awaiting_sender' ? 'sender' : 'receiver'
  if (!code_hmac || !code_sent_at || !timingSafeEqual(code_hmac, hmac)) return 'wrong'
  return now.getTime() - code_sent_at.getTime() < codeLastsMs[side] ? 'right' : 'late'
}

export function assertMayResend({ code_sent_at }: Transfer, now: Date): void {
  const waitMs = (code_sent_at?.getTime() ?? 0) + resendAfterMs - now.getTime()
  if (waitMs > 0) throw tooSoon(Math.ceil(waitMs / 1_000))
}

/**
 * The proof that confirms a transfer: the emailed code. Users without an email address enter a code of their
 * authenticator app, or their password if they have no app.
 */
export function proofOf({ email, two_factor_auth, password_hash }: User) {
  if (email !== null) return 'mail'
  if (two_factor_auth.includes('AuthenticatorApp')) return 'app'
  if (password_hash !== null) return 'password'
  throw noMailbox()
}

/** The recipient: a mailbox or a key. */
export function readAddressee({ email, pubkey }: NewTransfer) {
  if (Boolean(email) === Boolean(pubkey)) throw missingReceiver()
  return { email: email || null, pubkey: pubkey || null }
}

export function readMessage(text: string | null | undefined): string | null {
  const message = text?.trim() ?? ''
  if (/[^\P{Cc}\n\r\t]/u.test(message)) throw messageError()
  return message === '' ? null : message
}

export const mayForce = (caller: Principal, { force_transfer }: NewTransfer): boolean =>
  force_transfer === true && isOperator(caller)

/** The operator's reason. Shipped clients know no reason: their message to the recipient counts. */
export function readReason({ reason, message }: NewTransfer): string {
  const text = reason ?? message?.trim() ?? ''
  if (!isReason(text)) throw missingReason()
  return text
}

/** Only the side that is next may request a new code. */
export function assertTurn(caller: Principal, match: Transfer | undefined) {
  const transfer = assertParty(caller, match)
  nextStatus(transfer, 'resend_code')
  const side: Side = transfer.status === 'awaiting_sender' ? 'sender' : 'receiver'
  const isTurn =
    side === 'sender' ? transfer.sender_id === caller.user_id : isReceiver(caller, transfer)
  if (!isTurn) throw notNow(transfer.status)
  return { transfer, side }
}

/** The recipient must still have the email address that the transfer was sent to. */
export function assertSameMailbox({ email }: Pick<Transfer, 'email'>, recipient: User): void {
  if (email !== '' && recipient.email?.toLowerCase() !== email.toLowerCase()) {
    throw otherEmail()
  }
}

/** The error must not reveal whether the account of a mailbox is deactivated. */
export function assertMayReceive(
  { email }: Pick<Transfer, 'email'>,
  recipient: User | undefined,
): asserts recipient is User {
  if (!recipient || email === '') assertActive(recipient)
}

/** An attacker can register with a foreign address, but cannot confirm it. */
export function assertConfirmed(recipient: User): void {
  if (recipient.email !== null && recipient.email_verified_at === null) {
    throw unconfirmed()
  }
}

const unknownTransfer = () =>
  refusal('not_found', 'unknown_transfer', 'This transfer does not exist.')

const otherSide = (side: Side) => sideRefusals[side]()

const sideRefusals: Record<Side, () => ServiceError> = {
  sender: () => refusal('forbidden', 'sender_only', 'Only the sender of the transfer can do this.'),
  receiver: () =>
    refusal('forbidden', 'receiver_only', 'Only the recipient of the transfer can do this.'),
}

export const notNow = (status: Status) => obstacles[status]()

const obstacles: Record<Status, () => ServiceError> = {
  awaiting_sender: () =>
    refusal('refused', 'unconfirmed_transfer', 'The sender has to confirm this transfer first.'),
  awaiting_receiver: () =>
    refusal(
      'refused',
      'confirmed_transfer',
      'The sender has already confirmed this transfer. The recipient is next.',
    ),
  accepted: () =>
    refusal('refused', 'accepted_transfer', 'This transfer has already been accepted.'),
  closed: () => refusal('refused', 'closed_transfer', 'This transfer is closed. Start a new one.'),
}

export const wrongCode = (
  verdict: Exclude<Verdict, 'right'>,
  isClosed: boolean,
  proof: ReturnType<typeof proofOf>,
) => {
  const word = proof === 'password' ? 'password' : 'code'
  const wrong = isClosed
    ? `This ${word} is wrong, and too many wrong ${word}s closed the transfer. Start a new one.`
    : `This ${word} is wrong. After ${triesAtMost} wrong ${word}s the transfer is closed.`
  const messages = {
    wrong,
    late: 'This code has expired. Request a new one.',
    used: 'This code was already used. Wait for the next one in your authenticator app.',
  }
  const message = messages[verdict]
  const codes = [verdict, ...(isClosed ? ['closed_transfer'] : [])]
  const fields = { code: codes.map((code) => ({ code, message })) }
  return refusal('refused', `${verdict}_code`, message, { fields })
}

export const unknownCode = () =>
  refusalIn(
    'code',
    'refused',
    'wrong_code',
    'No offer to you has this code, or it has expired. Copy it from the latest email, or open the link there.',
    'wrong',
  )

export const alreadyOpen = () =>
  refusalIn(
    'eid',
    'refused',
    'open_transfer',
    'This emoji id is already being transferred. Cancel that transfer first.',
  )

export const toSelf = ({ email }: { email: string | null }) => {
  const message = 'You can’t transfer an emoji id to yourself. Choose another recipient.'
  const field = email === null ? 'pubkey' : 'email'
  return refusal('refused', 'to_self', message, inField(field, 'to_self', message))
}

const missingReason = () =>
  refusalIn(
    'reason',
    'refused',
    'missing_reason',
    'A transfer without confirmation needs a reason for the audit log.',
    'missing',
  )

export const unknownKey = () =>
  refusalIn(
    'pubkey',
    'refused',
    'unclaimed_pubkey',
    'No account or organization has this key, stored here or proven. Ask the recipient for another key or an email address.',
    'unknown',
  )

export const reservedEmail = () =>
  refusalIn(
    'email',
    'refused',
    'reserved_email',
    'This address can’t receive emoji ids now. Use another address, or try again in three days.',
    'reserved',
  )

const missingReceiver = () =>
  refusal('invalid', 'missing_receiver', 'Name the recipient: send either email or pubkey.')

const messageError = () =>
  refusal('invalid', 'invalid_text', 'message can’t contain control characters.')

const noMailbox = () =>
  refusalIn(
    'email',
    'refused',
    'missing_email',
    'Add an email address, an authenticator app or a password to your account first.',
  )

const otherEmail = () =>
  refusal(
    'refused',
    'other_email',
    'The recipient no longer has the email address of this transfer. Start a new one.',
  )

const unconfirmed = () =>
  unconfirmedEmail('The recipient has to confirm their email address first.')

const tooSoon = (retry_after_seconds: number) => {
  const message =
    'A code was sent less than a minute ago. Wait a minute before you request another.'
  return refusal('limited', 'too_soon', message, { retry_after_seconds })
}

export const tooMany = () => {
  const message = 'You have started many transfers within an hour. Try again later.'
  return refusal('limited', 'too_many_transfers', message, { retry_after_seconds: hourSeconds })
}

export const tooManyInvited = () => {
  const message =
    'This mailbox was offered several emoji ids and is still not confirmed. Ask the recipient to sign up, or try again tomorrow.'
  return refusal('limited', 'too_many_transfers', message, { retry_after_seconds: hourSeconds })
}

export const tooManyTo = () => {
  const message = 'Many transfers to this mailbox were started within an hour. Try again later.'
  return refusal('limited', 'too_many_transfers', message, { retry_after_seconds: hourSeconds })
}

export const tooManyEnded = () => {
  const message =
    'This recipient was offered several emoji ids by you and accepted none of them. Try again tomorrow.'
  return refusal('limited', 'too_many_transfers', message, { retry_after_seconds: hourSeconds })
}

/**
 * Was never used by the owner of the mailbox. All others sign in: a gift link lasts longer than a
 * sign-in link.
 */
export const isNewcomer = (user: User): boolean =>
  isUnclaimed(user) && user.password_hash === null && user.two_factor_auth.length === 0

export const knownRecipient = () =>
  refusal('refused', 'has_password', 'This account can already sign in. Sign in to accept.')

export const changedRecords = () =>
  refusal(
    'refused',
    'changed_records',
    'The sender changed what comes with this emoji id. Check it again, then accept.',
  )

export const tokenStays = () =>
  refusalIn(
    'without_token',
    'refused',
    'token_stays',
    'This emoji id was minted or may have been, and its token does not come along. Confirm that you want the id without its token.',
    'missing',
  )

export const expiredGift = () =>
  refusal(
    'refused',
    'expired_link',
    'This link has expired, or the offer has ended. Sign in to see your transfers.',
  )

export const noMail = () =>
  refusal(
    'refused',
    'no_mail',
    'Your account has no email address. Enter a code from your authenticator app, or your password if you have no app.',
  )
