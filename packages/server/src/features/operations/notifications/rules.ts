import { refusal } from '../../../platform/errors.ts'
import type { Letter } from '../../../platform/mail/letter.ts'
import { dayMs, minuteMs } from '../../../platform/time.ts'

/**
 * An email to queue. The notification centre of the account shows the event too, unless the letter is
 * silent: its reader has no account, or asked for the link or code that it carries. Without an address,
 * the event is only a notification.
 */
export type Mail = { kind: string; letter: Letter } & (
  | { to: string; silent: true }
  | {
      to: string | null
      /** Null: the reader has no account. */
      user_id: string | null
      /** The page of the web app where the user can act. */
      page: string
      /** An unread notification about the same subject is replaced. */
      about?: string
    }
)

/** A text message to queue. It is not sent once its content has expired. */
export type Sms = { to: string; kind: string; text: string; valid_minutes: number }

export type NewNotification = {
  user_id: string
  kind: string
  title: string
  text: string
  page: string
  subject: string | null
}

/** The notification about the event of an email; undefined without one. */
export function notificationOf(mail: Mail): NewNotification | undefined {
  if ('silent' in mail || mail.user_id === null) return undefined
  const { user_id, kind, page, about, letter } = mail
  return {
    user_id,
    kind,
    title: cutText(letter.subject, titleLength),
    text: cutText(letter.notice ?? letter.before, textLength),
    page,
    subject: about ?? null,
  }
}

const titleLength = 200
const textLength = 1_000

/** Whole characters only: a cut through one is no valid text. */
const cutText = (text: string, length: number): string =>
  text.length <= length ? text : `${[...text.slice(0, length - 2)].join('').toWellFormed()}…`

/** The notification about a sign-in from a browser that the account has not used before. */
export const signInNotification = (user_id: string): NewNotification => ({
  user_id,
  kind: 'sign_in',
  title: 'New sign-in to your account',
  text: 'A browser or app signed in that you have not used recently. If this wasn’t you, end its session, remove unknown passkeys and change your password.',
  page: '/account/security',
  subject: 'sign_in',
})

export const notificationsPerPage = 50
export const notificationsAtMost = 200
/** Kinds that strangers cause. They leave first, so that they cannot push out others. */
export const kindsOfStrangers: readonly string[] = ['transfer_code', 'transfer_news']
export const notificationsKeptMs = 90 * dayMs

/** Limits on notices per unconfirmed mailbox, and per network to all unconfirmed mailboxes. */
export const unconfirmedAtMost = 10
export const unconfirmedOfNetworkAtMost = 100
export const unconfirmedWithinMs = dayMs

/** Behind a proxy that hides client addresses, all requests come from this machine. */
export const isCounted = (network: string): boolean =>
  network !== '' && network !== 'unknown' && network !== '127.0.0' && !/^0+$/.test(network)

const mailPatienceMs = 3 * dayMs

/** An email is retried for days; a text message only until its code expires. */
export const giveUpMail = (now: Date): Date => new Date(now.getTime() + mailPatienceMs)
export const giveUpSms = (valid_minutes: number, now: Date): Date =>
  new Date(now.getTime() + valid_minutes * minuteMs)

/** Accepts the E.164 format. */
export function assertPhoneNumber(text: string): void {
  if (!/^\+[1-9]\d{6,14}$/.test(text)) throw invalidPhoneNumber()
}

const invalidPhoneNumber = () =>
  refusal(
    'invalid',
    'invalid_phone_number',
    'This is not a phone number. Use the international format without spaces, such as +14155550100.',
  )

export const unavailableSms = () =>
  refusal(
    'refused',
    'unavailable_sms',
    'This service can’t send text messages. Use an authenticator app.',
  )
