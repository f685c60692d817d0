import { refusal } from '../../../platform/errors.ts'
import { noLinks } from '../../../platform/http/site-links.ts'
import { type Letter, writeLetter } from '../../../platform/mail/letter.ts'
import { ignoreIt, inWords, notMe, serviceName } from '../../../platform/mail/phrases.ts'
import { quote } from '../../../platform/mail/quote.ts'
import { dayMs, minuteMs } from '../../../platform/time.ts'

/** The parameters of each email. The configuration builds links; a request never does. */
type MailTemplates = {
  /**
   * `is_made`: an operator created the account and confirmed the address; its owner can object.
   * `reset`: a sign-in link was requested; the account has a password, and this page sets another.
   */
  confirm_email: ExpiringLink & { is_made?: true; reset?: string }
  /** `application`: the link signs in there. `confirms`: opening it confirms the address. */
  magic_link: ExpiringLink & { application?: string; confirms?: true; not_me?: string }
  /** The answer to a request for a sign-in link, if the account has a password. */
  has_password: { link: string; reset: string; application?: string }
  /** `has_none`: the account has no password, for example after "this was not me". */
  password_reset: ExpiringLink & { has_none?: true }
  /** To the new address, before the change. */
  email_change_confirm: ExpiringLink
  /** To the old address, after the change. `not_me` takes it back, until the time. */
  email_changed_notice: { not_me?: string; until?: string }
  /** `not_me`: the "this was not me" link. */
  security_notice: { title: string; sentence: string; link?: string; not_me?: string }
  /** To the mailbox of an account whose lost second factor waits to be removed. */
  recovery_begun: { link: string; from: string }
  factor_recovery: ExpiringLink
  /** To a mailbox with an account or without: the email is the same. */
  organization_invitation: { organization: string; role: string; valid_days: number; link: string }
}
type ExpiringLink = { link: string; valid_minutes: number }
type MailTemplate = keyof MailTemplates

type LetterOf<T extends MailTemplate> = { template: T; params: MailTemplates[T] }
type MailOf<T extends MailTemplate> = LetterOf<T> &
  (T extends SilentTemplate ? { to: string } : { to: string | null } & Reader)

/** The account whose notification centre shows the event too; null: the reader has no account. */
type Reader = {
  user_id: string | null
  /** The page of the web app where the user can act, if it is not the one of the template. */
  page?: string
  /** An unread notification about the same subject is replaced. */
  about?: string
}
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
export type TemplateMail = { [T in MailTemplate]: MailOf<T> }[MailTemplate]

export function letterMailOf(mail: TemplateMail): Mail {
  const { template } = mail
  const letter = writeParts(mail)
  if (isSilent(template) || !('user_id' in mail)) {
    return { to: mail.to as string, kind: template, silent: true, letter }
  }
  const notice = ownTextOf(mail)
  return {
    to: mail.to,
    user_id: mail.user_id,
    ...(mail.about ? { about: mail.about } : {}),
    kind: template,
    page: mail.page ?? pages[template],
    letter: { ...letter, ...(notice ? { notice } : {}) },
  }
}
/** A text message to queue. It is not sent once its content has expired. */
export type Sms = { to: string; kind: string; text: string; valid_minutes: number }

/** Templates that carry a code or link, or whose reader has no account: no notification. */
const silentTemplates = [
  'confirm_email',
  'magic_link',
  'has_password',
  'password_reset',
  'email_change_confirm',
  'factor_recovery',
  'organization_invitation',
] as const
type SilentTemplate = (typeof silentTemplates)[number]
type NotifyingTemplate = Exclude<MailTemplate, SilentTemplate>

/** The page where the user can act on a notification. */
const pages: { [T in NotifyingTemplate]: string } = {
  email_changed_notice: '/account/profile',
  security_notice: '/account/security',
  recovery_begun: '/account/security',
}

/** Texts that differ from the email, because that speaks of its link or code. */
const ownTexts: { [T in NotifyingTemplate]?: (params: MailTemplates[T]) => string } = {
  recovery_begun: ({ from }) =>
    `From ${from}, an emailed link can remove your second factor. If this wasn’t you, cancel the removal.`,
  email_changed_notice: ({ until }) =>
    until
      ? `Until ${until}, the former address gets security notices too, and can take the change back.`
      : 'We no longer send emails to the former address.',
}

const isSilent = (template: MailTemplate): template is SilentTemplate =>
  (silentTemplates as readonly string[]).includes(template)

/** The notification about the event of an email; undefined without one. */
export function notificationOf(mail: Mail) {
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

const writeParts = <T extends MailTemplate>({ template, params }: LetterOf<T>): Letter =>
  letters[template](params)

const ownTextOf = <T extends NotifyingTemplate>({
  template,
  params,
}: LetterOf<T>): string | undefined => ownTexts[template]?.(params)

/** The notification about a sign-in from a browser that the account has not used before. */
export const signInNotification = (user_id: string) => ({
  user_id,
  kind: 'sign_in',
  title: 'New sign-in to your account',
  text: 'A browser or app signed in that you have not used recently. If this wasn’t you, end its session, remove unknown passkeys and change your password.',
  page: '/account/security',
  subject: 'sign_in',
})

export const notificationsAtMost = 200
/** Kinds that strangers cause. They leave first, so that they cannot push out others. */
export const kindsOfStrangers: readonly string[] = ['transfer_code', 'transfer_news']
export const notificationsKeptMs = 90 * dayMs

const accountMade = 'An account was created for you'
const madeForYou = 'An operator created an account for this address. '

const letters: { [T in MailTemplate]: (params: MailTemplates[T]) => Letter } = {
  confirm_email: ({ link, valid_minutes, is_made, reset }) => ({
    subject: is_made ? accountMade : 'Confirm your email address',
    before: `${is_made ? madeForYou : ''}${reset ? 'You asked for a sign-in link. Your account has a password, so sign in with it instead. ' : ''}Please confirm that this address is yours. The link works once, for ${inWords(valid_minutes)}.`,
    link: { label: 'Confirm this address', url: link },
    after: `If you didn’t ${is_made ? 'expect this' : 'register'}, open the link and tell us, or ignore this email.${reset ? ' Forgot your password? You can request a new one below.' : ''}`,
    ...(reset ? { end: { label: 'Choose a new password', url: reset } } : {}),
  }),
  magic_link: ({ link, valid_minutes, application, confirms, not_me }) => ({
    subject: application
      ? `Your link to sign in to ${quote(application)}`
      : confirms
        ? 'Confirm your email address and sign in'
        : not_me
          ? accountMade
          : 'Your sign-in link',
    before: `${not_me ? madeForYou : ''}Here is your link to sign in${application ? ` to ${quote(application)} with your emoji id` : ''}.${confirms ? ' It also confirms that this address is yours.' : ''} It works once, for ${inWords(valid_minutes)}.`,
    link: { label: 'Sign in', url: link },
    after: `${ignoreIt} Don’t forward it: anyone with the link can sign in as you.`,
    ...(not_me ? { end: { label: notMe, url: not_me } } : {}),
  }),
  has_password: ({ link, reset, application }) => ({
    subject: application
      ? `Sign in to ${quote(application)} with your password`
      : 'Sign in with your password',
    before:
      'You asked for a sign-in link. Your account has a password, so sign in with it instead.',
    link: { label: 'Sign in', url: link },
    after: `Forgot your password? You can request a new one below. ${ignoreIt}`,
    end: { label: 'Choose a new password', url: reset },
  }),
  password_reset: ({ link, valid_minutes, has_none }) => ({
    subject: 'Set a new password',
    before: `Use this link to choose a new password. It works once, for ${inWords(valid_minutes)}.`,
    link: { label: 'Choose a new password', url: link },
    after: has_none
      ? 'Until you choose one, your account has no password. You can sign in with a link that we email you.'
      : `${ignoreIt} Your password stays the same.`,
  }),
  email_change_confirm: ({ link, valid_minutes }) => ({
    subject: 'Confirm your new email address',
    before: `We received a request to use this address for an account. If this was you, confirm it. The link works once, for ${inWords(valid_minutes)}.`,
    link: { label: 'Confirm the new address', url: link },
    after: ignoreIt,
  }),
  email_changed_notice: ({ not_me, until }) => ({
    subject: 'Your email address was changed',
    before: until
      ? `Your account now has another email address. Until ${until}, this one still gets its security notices, and can take the change back.`
      : 'Your account now has another email address. We no longer send emails to this one.',
    ...(not_me ? { link: { label: 'This wasn’t me: take the change back', url: not_me } } : {}),
    after: not_me
      ? 'If this wasn’t you, take the change back now: another person may have access to your account.'
      : 'If this wasn’t you, act now: another person may have access to your account.',
  }),
  organization_invitation: ({ organization, role, valid_days, link }) => ({
    subject: 'You are invited to an organization',
    before: `The organization ${quote(organization)} invites you to join it as ${role}. If you accept, it sees your email address, your account id and what you do for it. Sign in with this address to accept or decline within ${valid_days} days. If you have no account yet, create one with this address first.`,
    link: { label: 'See the invitation', url: link },
    after:
      'If you don’t know this organization, ignore this email. It doesn’t learn whether you have an account.',
  }),
  security_notice: ({ title, sentence, link, not_me }) => ({
    subject: title,
    before: sentence,
    ...reviewAt(link),
    after: 'If this wasn’t you, act now: another person may have access to your account.',
    ...(not_me ? { end: { label: notMe, url: not_me } } : {}),
  }),
  factor_recovery: ({ link, valid_minutes }) => ({
    subject: 'Remove your lost second factor',
    before: `We received a request to remove the lost second factor of your account. If this was you, open this link within ${inWords(valid_minutes)}. We’ll then email you a second link, which removes the factor after three days, unless a code is entered before.`,
    link: { label: 'Continue', url: link },
    after: `${ignoreIt} Your second factor stays.`,
  }),
  recovery_begun: ({ link, from }) => ({
    subject: 'Your second factor can be removed soon',
    before: `A link from this mailbox was used to report the second factor of your account as lost. From ${from}, for one week, the link below removes it.`,
    link: { label: 'Remove the second factor', url: link },
    after:
      'If this wasn’t you, sign in with a code, or cancel the removal on the security page of your account. Then change the password of this mailbox.',
  }),
}

export const renderMail = <T extends MailTemplate>({ template, params }: LetterOf<T>) =>
  writeLetter(letters[template](params), { from: serviceName, links: noLinks })

const reviewAt = (link: string | undefined): Pick<Letter, 'link'> =>
  link === undefined ? {} : { link: { label: 'Review your account', url: link } }

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
