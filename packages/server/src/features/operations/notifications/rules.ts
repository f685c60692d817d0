import { refusal } from '../../../platform/errors.ts'
import { noLinks } from '../../../platform/http/site-links.ts'
import { type Letter, writeLetter } from '../../../platform/mail/letter.ts'
import {
  ignoreIt,
  inWords,
  nothingToDo,
  notMe,
  serviceName,
} from '../../../platform/mail/phrases.ts'
import { quote } from '../../../platform/mail/quote.ts'
import { dayMs, minuteMs } from '../../../platform/time.ts'

const reportOutcomes = {
  no_action: 'We reviewed the report and took no action.',
  suspended: 'We reviewed the report and suspended the emoji id.',
  other: 'We reviewed the report.',
}

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
  /** To the owners of an id after a change of its payment addresses. */
  records_changed: ExpiringLink & { emoji_id: string; changes: string[]; by: Writer }
  /** To the owners of an id after an operator's change, or with `at` before it. */
  records_moderated: { emoji_id: string; changes: string[]; appeals: string; at?: string }
  ids_suspended: { emoji_ids: string; reason: string; appeals: string }
  /** To a person whose account an operator deactivated. */
  account_deactivated: { reason: string; appeals: string }
  ids_restored: { emoji_ids: string; reason: string; appeals: string }
  /** To the owners of an id with a delay lock, when a change of payment addresses waits. */
  change_waits: { emoji_id: string; changes: string[]; at: string; link: string }
  /** To the owners of an id, when a shorter delay lock waits. */
  delay_lowered: { emoji_id: string; changes: string[]; at: string; link: string }
  /** To the sender, who checks the recipient, or to the recipient, who learns which records come with the id. */
  /** Readers without an email address have no code. */
  transfer_code: ExpiringLink & { emoji_id: string; code: string | null } & (
      | { receiver: string }
      | Gift
    )
  /** Emails of earlier versions that are still queued. */
  transfer_invitation: { emoji_id: string; link: string }
  /** To the new owner; `is_new`: the account was created for the transfer. */
  transfer_received: {
    emoji_id: string
    by: 'sender' | 'operator'
    luggage: Luggage
    is_new: boolean
    /** An organization of the reader has it. */
    is_organization?: true
    link: string
  }
  /** To the former owners of an id that an operator transferred. */
  transfer_forced: { emoji_id: string }
  transfer_news: { emoji_id: string; sentence: string }
  /** To the reporter of an id. The address is unconfirmed, so the email quotes nothing of the report. */
  report_decided: {
    emoji_id: string
    reported_on: string
    decision: 'no_action' | 'suspended' | 'other'
    note?: string
  }
  /** To a mailbox with an account or without: the email is the same. */
  organization_invitation: { organization: string; role: string; valid_days: number; link: string }
  /** To the owner of a lootbox from an operator, with an account or without. */
  lootbox_given: { ids: number; link: string }
}
/** An offered id. `from` and `message` are the sender's; `is_new`: the address is unconfirmed. */
type Gift = {
  luggage: Luggage
  from?: string
  message?: string
  is_organization?: true
  is_new?: true
}
/** The records that come with a transferred id. */
type Luggage = {
  records: number
  addresses: string[]
  /** The id was minted, and its token is not with the recipient. */
  token_stays?: true
}
/**
 * The author of a change, relative to the reader of the email. `operator`: emails of earlier
 * versions that are still queued.
 */
type Writer = 'reader' | 'colleague' | 'operator'

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
 * An email to queue, about an event that the notification centre of the account shows too, or silent.
 * Without an address, the event is only a notification of the account.
 */
export type Mail = {
  kind: string
  letter: Letter
} /** The reader has no account, or asked for the link or code that the letter carries. */ & (
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
  const isOwnCode = template === 'transfer_code' && 'receiver' in mail.params
  const letter = writeParts(mail)
  if (isSilent(template) || isOwnCode || !('user_id' in mail)) {
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
  'transfer_invitation',
  'organization_invitation',
  'report_decided',
] as const
type SilentTemplate = (typeof silentTemplates)[number]
type NotifyingTemplate = Exclude<MailTemplate, SilentTemplate>

/** The page where the user can act on a notification. */
const pages: { [T in NotifyingTemplate]: string } = {
  email_changed_notice: '/account/profile',
  security_notice: '/account/security',
  recovery_begun: '/account/security',
  records_changed: '/account',
  records_moderated: '/account',
  ids_suspended: '/account',
  account_deactivated: '/account/profile',
  ids_restored: '/account',
  change_waits: '/account',
  delay_lowered: '/account',
  transfer_code: '/account/transfers',
  transfer_received: '/account',
  transfer_forced: '/account',
  transfer_news: '/account/transfers',
  lootbox_given: '/account/lootboxes',
}

/** Texts that differ from the email, because that speaks of its link or code. */
const ownTexts: { [T in NotifyingTemplate]?: (params: MailTemplates[T]) => string } = {
  recovery_begun: ({ from }) =>
    `From ${from}, an emailed link can remove your second factor. If this wasn’t you, cancel the removal.`,
  transfer_code: (params) =>
    'receiver' in params
      ? ''
      : `Accept or decline it${params.code ? ' with the code from the email' : ' there'}. ${inSentences(params.luggage)}`,
  lootbox_given: ({ ids }) =>
    `It holds ${ids === 1 ? 'one emoji id' : `${ids} emoji ids`}. Open it to get them.`,
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

const writers: Record<Writer, string> = {
  reader: 'from your account',
  colleague: 'by another member of your organization',
  operator: 'by an operator',
}

/** The sender's words are quoted: they must neither read as ours nor become a link. */
const messageLength = 500

function offerOf({ from, message, is_organization, is_new }: Gift, emoji_id: string): string {
  const to = is_organization ? 'your organization' : 'you'
  const offer = from
    ? `The owner of ${from} offers ${to} the emoji id ${emoji_id}.`
    : `${is_organization ? 'Your organization is' : 'You are'} offered the emoji id ${emoji_id}.`
  const about = is_new ? ' An emoji id lets people find and pay you with a few emojis.' : ''
  return `${offer}${about}${message ? ` The message: ${quote(message, messageLength)}` : ''}`
}

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
  records_changed: ({ emoji_id, changes, by, link, valid_minutes }) => ({
    subject: `Payment addresses of ${emoji_id} changed`,
    before: `The payment addresses of your emoji id ${emoji_id} were changed ${writers[by]}: ${changes.join('; ')}.`,
    link: { label: 'Undo this change', url: link },
    after: `If you expected this, you don’t need to do anything. If not, undo it within ${inWords(valid_minutes)}, then change your password.`,
  }),
  records_moderated: ({ emoji_id, changes, appeals, at }) => ({
    subject: `Payment addresses of ${emoji_id} ${at ? `change on ${at}` : 'changed'}`,
    before: at
      ? `An operator will change the payment addresses of your emoji id ${emoji_id} on ${at}: ${changes.join('; ')}.`
      : `An operator changed the payment addresses of your emoji id ${emoji_id}: ${changes.join('; ')}.`,
    after: `If you disagree, write to ${appeals}.`,
  }),
  ids_suspended: ({ emoji_ids, reason, appeals }) => ({
    subject: 'Your emoji ids were suspended',
    before: `An operator suspended ${emoji_ids}: payers and visitors can’t reach you there, and you can’t change, transfer or release them. The reason: ${quote(reason)}`,
    after: `If you disagree, write to ${appeals}.`,
  }),
  account_deactivated: ({ reason, appeals }) => ({
    subject: 'Your account was deactivated',
    before: `An operator deactivated your account, so you can’t sign in and your API keys no longer work. The reason: ${quote(reason, messageLength)}`,
    after: `If you disagree, write to ${appeals}.`,
  }),
  ids_restored: ({ emoji_ids, reason, appeals }) => ({
    subject: 'Your emoji ids were restored',
    before: `The suspension of ${emoji_ids} has ended. If a change of payment addresses was waiting, request it again. The reason: ${quote(reason)}`,
    after: `If you have questions, write to ${appeals}.`,
  }),
  change_waits: ({ emoji_id, changes, at, link }) => ({
    subject: `Payment addresses of ${emoji_id} change on ${at}`,
    before: `A change of the payment addresses of your emoji id ${emoji_id} was requested: ${changes.join('; ')}. Because of the delay lock, it takes effect on ${at}.`,
    link: { label: 'Cancel this change', url: link },
    after:
      'If you expected this, you don’t need to do anything. If not, cancel it before then and change your password.',
  }),
  delay_lowered: ({ emoji_id, changes, at, link }) => ({
    subject: `The delay lock of ${emoji_id} changes on ${at}`,
    before: `A change of the delay lock of your emoji id ${emoji_id} was requested: ${changes.join('; ')}. It takes effect on ${at}.`,
    link: { label: 'Keep the lock as it is', url: link },
    after:
      'If you expected this, you don’t need to do anything. If not, keep the lock as it is and change your password.',
  }),
  transfer_code: ({ emoji_id, code, link, valid_minutes, ...to }) => ({
    lines: [['Code', code ?? '']],
    ...('receiver' in to
      ? {
          subject: `Confirm the transfer of ${emoji_id}`,
          before: `Your account started a transfer of your emoji id ${emoji_id} to ${to.receiver}. To continue, sign in with this address and enter this code within ${inWords(valid_minutes)}.`,
          link: { label: 'Sign in', url: link },
          after:
            'Don’t share the code. If you didn’t start this transfer, change your password now.',
        }
      : {
          subject: `${emoji_id} is offered to ${to.is_organization ? 'your organization' : 'you'}`,
          before: `${offerOf(to, emoji_id)} ${inSentences(to.luggage)} Open the link to accept or decline it. In another browser, sign in with this address and enter this code, which works for ${inWords(valid_minutes)}.`,
          link: { label: 'See the offer', url: link },
          after:
            'Don’t forward this email or share the code. If you don’t want it, decline it there or ignore this email.',
        }),
  }),
  transfer_invitation: ({ emoji_id, link }) => ({
    subject: `You’re invited to receive ${emoji_id}`,
    before: `The sender of the emoji id ${emoji_id} chose this address as its recipient. Once the sender confirms, we’ll email you a link to accept it.`,
    link: { label: 'Sign in', url: link },
    after: 'If you don’t want it, ignore this email.',
  }),
  transfer_received: ({ emoji_id, by, luggage, is_new, is_organization, link }) => ({
    subject: is_organization
      ? `${emoji_id} belongs to your organization now`
      : `${emoji_id} is yours now`,
    before: `${by === 'sender' ? `The emoji id ${emoji_id} ${is_organization ? 'belongs to your organization' : 'is yours'} now.` : `An operator transferred the emoji id ${emoji_id} to ${is_organization ? 'your organization' : 'you'}.`} ${inSentences(luggage)}`,
    link: { label: 'Sign in', url: link },
    after: is_new
      ? 'We created an account for this address. To sign in, request a link.'
      : 'You can transfer it after three days.',
  }),
  transfer_forced: ({ emoji_id }) => ({
    subject: `An operator transferred ${emoji_id}`,
    before: `An operator transferred your emoji id ${emoji_id} to another account. It is no longer yours.`,
    after: 'Your account wasn’t used for this. If you didn’t expect it, contact our support.',
  }),
  transfer_news: ({ emoji_id, sentence }) => ({
    subject: `Update on the transfer of ${emoji_id}`,
    before: sentence,
    after: nothingToDo,
  }),
  lootbox_given: ({ ids, link }) => ({
    subject: 'You received a lootbox',
    before: `You received a lootbox with ${ids === 1 ? 'one emoji id' : `${ids} emoji ids`}. Sign in or register with this address, then open the box to get its emoji ids.`,
    link: { label: 'Sign in', url: link },
    after: 'If you don’t want it, ignore this email.',
  }),
  organization_invitation: ({ organization, role, valid_days, link }) => ({
    subject: 'You are invited to an organization',
    before: `The organization ${quote(organization)} invites you to join it as ${role}. If you accept, it sees your email address, your account id and what you do for it. Sign in with this address to accept or decline within ${valid_days} days. If you have no account yet, create one with this address first.`,
    link: { label: 'See the invitation', url: link },
    after:
      'If you don’t know this organization, ignore this email. It doesn’t learn whether you have an account.',
  }),
  report_decided: ({ emoji_id, reported_on, decision, note }) => ({
    subject: `Our decision about ${emoji_id}`,
    before: `The emoji id ${emoji_id} was reported on ${reported_on} with this email address. ${reportOutcomes[decision]}${note ? ` ${note}` : ''}`,
    after:
      'We deleted your address from the report. If you didn’t send it, you can ignore this email.',
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

/** Names the former owner's addresses, because payments still go there. */
const inSentences = (luggage: Luggage): string =>
  luggage.token_stays ? `${recordsInWords(luggage)} ${tokenStays}` : recordsInWords(luggage)

const tokenStays =
  'It was minted or may have been, and its token does not come along: the holder of the token can sell it to others.'

function recordsInWords({ records, addresses }: Luggage): string {
  if (records === 0) return 'It has no records.'
  if (addresses.length === 0) return 'Its records come with it; none of them is a payment address.'
  return `Its records come with it. Check these payment addresses and replace any that are not yours: ${addresses.join('; ')}.`
}

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
