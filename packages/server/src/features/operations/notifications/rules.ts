import { refusal } from '../../../platform/errors.ts'
import { type Letter, writeLetter } from '../../../platform/mail/letter.ts'
import { quote } from '../../../platform/mail/quote.ts'
import { dayMs, minuteMs } from '../../../platform/time.ts'

/** What becomes of what was bought once a dispute is lost. */
const afterLost = {
  frozen: 'What you bought with it is frozen until an operator has decided about it.',
  gone: 'What you bought with it is not yours any more.',
  as_planned: 'It is the refund that you were to get; nothing else changes.',
}
const serviceName = 'Emoji Id Directory'

/** What each mail needs to be told. Links come whole from the configuration, never from a request. */
type MailTemplates = {
  /** `is_made`: by somebody else, who confirmed the address; so its owner may say otherwise. */
  confirm_email: ExpiringLink & { is_made?: true }
  /** Perhaps asked for at an application, by its name; or the first, which confirms the address. */
  magic_link: ExpiringLink & { application?: string; confirms?: true; not_me?: string }
  /** `has_none`: the account has no password, perhaps because of "this was not me". */
  password_reset: ExpiringLink & { has_none?: true }
  /** To the new address: is it theirs? */
  email_change_confirm: ExpiringLink
  /** To the old address, after the change. */
  email_changed_notice: { link?: string }
  /** `not_me`: the "this was not me" link. */
  security_notice: { title: string; sentence: string; link?: string; not_me?: string }
  /** To everybody who could know, while a lost second factor waits to be removed. */
  recovery_begun: { link: string; from: string }
  factor_recovery: ExpiringLink
  /** To those who have an id, when an address behind it changed. */
  records_changed: ExpiringLink & { emoji_id: string; changes: string[]; by: Writer }
  /** To owners of an id with a delay lock, when a change of payment addresses was planned. */
  change_waits: { emoji_id: string; changes: string[]; at: string; link: string }
  /** To the same, when the lock is to last less long. */
  delay_lowered: { emoji_id: string; changes: string[]; at: string; link: string }
  receipt: { order_number: string; lines: [string, number][]; total_in_cents: number }
  /** Money came for something that is sold or costs more now. */
  order_cancelled: { order_number: string; amount_in_cents: number }
  /** With a link where the buyer has to say where it goes. */
  refund_sent: { order_number: string; amount_in_cents: number; link?: string }
  /** An operator does not give back what the buyer asked for. */
  refund_declined: { order_number: string; reason: string }
  /** To the buyer, whose bank took the money back or asks about it. */
  payment_disputed: { order_number: string; amount_in_cents: number }
  /** To the buyer, once the bank has decided; `left` says what becomes of what they bought. */
  dispute_closed: {
    order_number: string
    outcome: 'won' | 'lost'
    left: 'frozen' | 'gone' | 'as_planned'
  }
  /** To those who run the service. */
  dispute_news: { order_number: string; sentence: string; link: string }
  /** To the buyer, of what an operator decided about what they bought. */
  dispute_decided: {
    order_number: string
    decision: 'taken_back' | 'left'
    emoji_ids: string[]
  }
  /** To the former owner of an id that an operator took back after a lost dispute. */
  dispute_taken: { emoji_id: string; reason: string }
  /** To whoever is interested in an id, when it becomes free; `price` in US cents. */
  id_available: { emoji_id: string; price: number; link: string; end_link: string }
  /** To the sender, who checks the receiver, or to that one, who learns what comes along. */
  transfer_code: ExpiringLink & { emoji_id: string; code: string } & (
      | { receiver: string }
      | { luggage: Luggage }
    )
  /** To somebody without an account, to whom an id is to be handed on. */
  transfer_invitation: { emoji_id: string; link: string }
  /** To somebody whose id it is now; `is_new` if their account was made for it. */
  transfer_received: {
    emoji_id: string
    by: 'sender' | 'operator'
    luggage: Luggage
    is_new: boolean
    link: string
  }
  /** To those who had an id that an operator gave to somebody else. */
  transfer_forced: { emoji_id: string }
  transfer_news: { emoji_id: string; sentence: string }
  /** To whoever an operator gives a box, with an account or without. */
  lootbox_given: { ids: number; link: string }
}
/** What stays behind an id that is handed on. */
type Luggage = { records: number; addresses: string[] }
type SmsTemplates = {
  code: { code: string; valid_minutes: number }
  recovery_begun: { from: string; valid_minutes: number }
}

/** Who changed something, seen by the one who is told. */
type Writer = 'reader' | 'colleague' | 'operator'

type ExpiringLink = { link: string; valid_minutes: number }
type MailTemplate = keyof MailTemplates
type SmsTemplate = keyof SmsTemplates

type MailOf<T extends MailTemplate> = { to: string; template: T; params: MailTemplates[T] }
type SmsOf<T extends SmsTemplate> = { to: string; template: T; params: SmsTemplates[T] }

/** A mail to queue: each template with exactly its own params. */
export type Mail = { [T in MailTemplate]: MailOf<T> }[MailTemplate]
/** A text message to queue. */
export type Sms = { [T in SmsTemplate]: SmsOf<T> }[SmsTemplate]

const writers: Record<Writer, string> = {
  reader: 'from your account',
  colleague: 'by another member of your organization',
  operator: 'by an operator of this service',
}

const accountMade = 'An account was made for you'
const madeForYou = 'An operator of this service made an account for this address. '
const ignoreIt = 'If you did not ask for this, you can ignore this mail.'

const letters: { [T in MailTemplate]: (params: MailTemplates[T]) => Letter } = {
  confirm_email: ({ link, valid_minutes, is_made }) => ({
    subject: is_made ? accountMade : 'Confirm your e-mail address',
    before: `${is_made ? madeForYou : ''}Please confirm that this address is yours. The link works once, for ${inWords(valid_minutes)}.`,
    link: { label: 'Confirm this address', url: link },
    after: `If you did not register${is_made ? ', and did not expect this' : ''}, open the link and say so, or ignore this mail.`,
  }),
  magic_link: ({ link, valid_minutes, application, confirms, not_me }) => ({
    subject: application
      ? `Your link to sign in to ${quote(application)}`
      : confirms
        ? 'Confirm your e-mail address and sign in'
        : not_me
          ? accountMade
          : 'Your sign-in link',
    before: `${not_me ? madeForYou : ''}Here is your link to sign in${application ? ` to ${quote(application)} with your emoji id` : ''}.${confirms ? ' It also confirms that this address is yours.' : ''} It works once, for ${inWords(valid_minutes)}.`,
    link: { label: 'Sign in', url: link },
    after: `${ignoreIt} Do not forward it: whoever has the link can sign in as you.`,
    ...(not_me ? { end: { label: 'If this was not you, say so', url: not_me } } : {}),
  }),
  password_reset: ({ link, valid_minutes, has_none }) => ({
    subject: 'Set a new password',
    before: `With this link you choose a new password. It works once, for ${inWords(valid_minutes)}.`,
    link: { label: 'Choose a new password', url: link },
    after: has_none
      ? 'Until you choose one, your account has no password: a link that we mail you signs you in.'
      : `${ignoreIt} Your password stays as it is.`,
  }),
  email_change_confirm: ({ link, valid_minutes }) => ({
    subject: 'Confirm your new e-mail address',
    before: `Somebody wants to use this address for their account. If that is you, confirm it. The link works once, for ${inWords(valid_minutes)}.`,
    link: { label: 'Confirm the new address', url: link },
    after: ignoreIt,
  }),
  email_changed_notice: ({ link }) => ({
    subject: 'Your e-mail address was changed',
    before: 'Your account has another e-mail address now. Mails will not come here any more.',
    ...reviewAt(link),
    after: 'If this was not you, act now: somebody else may have your account.',
  }),
  records_changed: ({ emoji_id, changes, by, link, valid_minutes }) => ({
    subject: `Where ${emoji_id} pays to has changed`,
    before: `The addresses behind your emoji id ${emoji_id} were changed ${writers[by]}: ${changes.join('; ')}.`,
    link: { label: 'Undo this change', url: link },
    after: `If this was meant, there is nothing to do. If not, undo it within ${inWords(valid_minutes)}, even if more was changed since; then change your password.`,
  }),
  change_waits: ({ emoji_id, changes, at, link }) => ({
    subject: `Where ${emoji_id} pays to changes on ${at}`,
    before: `Somebody asked for other payment addresses behind your emoji id ${emoji_id}: ${changes.join('; ')}. Because of its delay lock this takes effect on ${at}.`,
    link: { label: 'Cancel this change', url: link },
    after:
      'If this was meant, there is nothing to do. If not, cancel it before then; then change your password.',
  }),
  delay_lowered: ({ emoji_id, changes, at, link }) => ({
    subject: `The delay lock of ${emoji_id} changes on ${at}`,
    before: `Somebody asked for another delay lock of your emoji id ${emoji_id}: ${changes.join('; ')}. This takes effect on ${at}.`,
    link: { label: 'Keep the lock as it is', url: link },
    after:
      'If this was meant, there is nothing to do. If not, keep the lock as it is; then change your password.',
  }),
  receipt: ({ order_number, lines, total_in_cents }) => ({
    subject: `Your receipt for order ${order_number}`,
    before: 'Thank you. What you bought is yours now:',
    lines: [...lines, ['Total', total_in_cents] as const].map(([name, cents]) => [
      name,
      inDollars(cents),
    ]),
    after: 'Keep this mail as your receipt.',
  }),
  order_cancelled: ({ order_number, amount_in_cents }) => ({
    subject: `Order ${order_number} was cancelled`,
    before: `Your payment of ${inDollars(amount_in_cents)} did not come in full and in time, or what it was for was sold or cost more when it came. All of it goes back to you.`,
    after: 'There is nothing to do. Another mail tells when the money is on its way.',
  }),
  refund_sent: ({ order_number, amount_in_cents, link }) => ({
    subject: `Your refund for order ${order_number}`,
    before: link
      ? `We give ${inDollars(amount_in_cents)} back to you. Please say where it should go.`
      : `We gave ${inDollars(amount_in_cents)} back to the card you paid with. It can take some days to show.`,
    ...(link ? { link: { label: 'Get the money', url: link } } : {}),
    after: `It is for order ${order_number}.`,
  }),
  refund_declined: ({ order_number, reason }) => ({
    subject: `About the money for order ${order_number}`,
    before: `You asked for your money back. We read it, and do not give it back: ${reason}`,
    after: 'What you have of it stays yours. If we overlooked something, ask again at your order.',
  }),
  payment_disputed: ({ order_number, amount_in_cents }) => ({
    subject: `The payment for order ${order_number} is disputed`,
    before: `Your bank tells us that the payment of ${inDollars(amount_in_cents)} for order ${order_number} is disputed. Until it decides, what you bought with it is frozen: it is found and paid as before, but it cannot be handed on, given back, minted or opened.`,
    after:
      'If you did not mean this, tell your bank that the payment was right: then everything is as it was.',
  }),
  dispute_closed: ({ order_number, outcome, left }) => ({
    subject: `The dispute about order ${order_number} is over`,
    before:
      outcome === 'won'
        ? 'Your bank decided that the payment was right. What you bought is yours, and no longer frozen.'
        : `Your bank gave you the money back. ${afterLost[left]}`,
    after: 'There is nothing you have to do.',
  }),
  dispute_news: ({ order_number, sentence, link }) => ({
    subject: `Dispute about order ${order_number}`,
    before: sentence,
    link: { label: 'Look at the dispute', url: link },
    after: 'You are told because you are an operator of this service.',
  }),
  dispute_decided: ({ order_number, decision, emoji_ids }) => ({
    subject: `We decided about order ${order_number}`,
    before:
      decision === 'left'
        ? 'The payment for this order was disputed. An operator of this service decided: the following stays with whoever has it now, and is no longer frozen.'
        : 'The payment for this order was disputed, and your bank gave you the money back. An operator of this service took back what was bought with it:',
    lines: emoji_ids.map((id) => [id, decision === 'left' ? 'stays' : 'taken back']),
    after: 'There is nothing you have to do.',
  }),
  dispute_taken: ({ emoji_id, reason }) => ({
    subject: `An operator took ${emoji_id} back`,
    before: `The payment for the emoji id ${emoji_id} was disputed by whoever bought it, and their bank gave the money back. An operator of this service took the id back: ${reason}`,
    after: 'It is not yours any more. Your account was not used for this.',
  }),
  id_available: ({ emoji_id, price, link, end_link }) => ({
    subject: `${emoji_id} can be had`,
    before: `You wanted to know when the emoji id ${emoji_id} becomes free. It is free now, for ${inDollars(price)}.`,
    link: { label: `Get ${emoji_id}`, url: link },
    after:
      'Others were told as well: whoever buys it first has it. This is the only mail about it, unless you register your interest anew.',
    end: { label: 'End your interest in it', url: end_link },
  }),
  transfer_code: ({ emoji_id, code, link, valid_minutes, ...to }) => {
    const [subject, what] =
      'receiver' in to
        ? [
            `Confirm that you hand ${emoji_id} on`,
            `Your emoji id ${emoji_id} is to go to ${to.receiver}.`,
          ]
        : [
            `${emoji_id} is offered to you`,
            `Somebody wants to give you the emoji id ${emoji_id}. ${inSentences(to.luggage)}`,
          ]
    return {
      subject,
      before: `${what} If you want that, sign in with this address and give this code. It works for ${inWords(valid_minutes)}.`,
      lines: [['Code', code]],
      link: { label: 'Sign in', url: link },
      after:
        'Never tell the code to anybody. If you do not want it, ignore this mail; if your account began it without you, change your password now.',
    }
  },
  transfer_invitation: ({ emoji_id, link }) => ({
    subject: `Somebody wants to give you ${emoji_id}`,
    before: `An emoji id stands for addresses, links and names, so that people find and pay you by a few emojis. Somebody wants to give you ${emoji_id}. An account was made for this address; to sign in, ask for a link to it. Once the sender has confirmed, another mail brings the code to accept it.`,
    link: { label: 'Sign in', url: link },
    after: 'If you do not want it, ignore this mail.',
  }),
  transfer_received: ({ emoji_id, by, luggage, is_new, link }) => ({
    subject: `${emoji_id} is yours now`,
    before: `${by === 'sender' ? `The emoji id ${emoji_id} is yours now.` : `An operator of this service gave you the emoji id ${emoji_id}.`} ${inSentences(luggage)}`,
    link: { label: 'Sign in', url: link },
    after: is_new
      ? 'An account was made for this address; to sign in, ask for a link to it.'
      : 'For three days it cannot be handed on.',
  }),
  transfer_forced: ({ emoji_id }) => ({
    subject: `An operator moved ${emoji_id}`,
    before: `An operator of this service gave your emoji id ${emoji_id} to somebody else. It is not yours any more.`,
    after: 'Your account was not used for this. If you did not expect it, ask the operator why.',
  }),
  transfer_news: ({ emoji_id, sentence }) => ({
    subject: `News of ${emoji_id}`,
    before: sentence,
    after: 'There is nothing you have to do.',
  }),
  lootbox_given: ({ ids, link }) => ({
    subject: 'Somebody gives you a lootbox',
    before: `Somebody gives you a lootbox with ${ids === 1 ? 'one emoji id' : `${ids} emoji ids`}. Sign in with this address, or register with it, and open the box: what is in it is yours then.`,
    link: { label: 'Sign in', url: link },
    after: 'If you do not want it, ignore this mail.',
  }),
  security_notice: ({ title, sentence, link, not_me }) => ({
    subject: title,
    before: sentence,
    ...reviewAt(link),
    after: 'If this was not you, act now: somebody else may have access to your account.',
    ...(not_me ? { end: { label: 'If this was not you, say so', url: not_me } } : {}),
  }),
  factor_recovery: ({ link, valid_minutes }) => ({
    subject: 'Remove a second factor that you lost',
    before: `Somebody who has lost the second factor of your account and its backup codes asks to have it removed. If that is you, open this link within ${inWords(valid_minutes)}. Another mail comes then, with a link that removes the second factor once three days are over, unless somebody gives a code before.`,
    link: { label: 'Go on', url: link },
    after: `${ignoreIt} Your second factor stays.`,
  }),
  recovery_begun: ({ link, from }) => ({
    subject: 'Your second factor can be removed soon',
    before: `Somebody who opened a link in this mailbox says that the second factor of your account is lost. From ${from} on, for a week, it can be removed by this link; until somebody opens it, the second factor stays.`,
    link: { label: 'Remove the second factor', url: link },
    after:
      'If this was not you, log in with a code, or cancel it on the security page of your account: that ends it at once. Then set a new password for this mailbox.',
  }),
}

const texts: { [T in SmsTemplate]: (params: SmsTemplates[T]) => string } = {
  code: ({ code, valid_minutes }) =>
    `${code} is your ${serviceName} code. It works for ${inWords(valid_minutes)}. Never tell it to anybody.`,
  recovery_begun: ({ from }) =>
    `The second factor of your ${serviceName} account can be removed by a mailed link from ${from} on. If this was not you, log in with a code: that ends it.`,
}

export function renderMail<T extends MailTemplate>({
  template,
  params,
}: Pick<MailOf<T>, 'template' | 'params'>) {
  return writeLetter(letters[template](params), serviceName)
}

export const renderSms = <T extends SmsTemplate>({
  template,
  params,
}: Pick<SmsOf<T>, 'template' | 'params'>): string => texts[template](params)

const reviewAt = (link: string | undefined): Pick<Letter, 'link'> =>
  link === undefined ? {} : { link: { label: 'Look at your account', url: link } }

/** Names the former owner's addresses, because payments would go there. */
function inSentences({ records, addresses }: Luggage): string {
  if (records === 0) return 'It comes empty: there are no records behind it.'
  const along = 'The records behind it come along'
  if (addresses.length === 0) return `${along}; none of them is an address for payments.`
  return `${along}: until you replace them, payments to it go to these addresses. Check each, and replace what is not yours: ${addresses.join('; ')}.`
}

function inWords(minutes: number): string {
  const [count, unit] = minutes >= 120 ? [Math.round(minutes / 60), 'hour'] : [minutes, 'minute']
  return count === 1 ? `1 ${unit}` : `${count} ${unit}s`
}

const inDollars = (cents: number): string =>
  (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' })

/** Notices to one mailbox that nobody confirmed, and to all such because of one network. */
export const unconfirmedAtMost = 10
export const unconfirmedOfNetworkAtMost = 100
export const unconfirmedWithinMs = dayMs

/** Behind a proxy that hides client addresses, all requests come from this machine. */
export const isCounted = (network: string): boolean =>
  network !== '' && network !== 'unknown' && network !== '127.0.0' && !/^0+$/.test(network)

const mailPatienceMs = 3 * dayMs

/** A mail is tried for days; an expired code would only confuse. */
export const giveUpMail = (now: Date): Date => new Date(now.getTime() + mailPatienceMs)
export const giveUpSms = ({ params }: Sms, now: Date): Date =>
  new Date(now.getTime() + params.valid_minutes * minuteMs)

/** A number as the networks take it: a plus sign, the country, the rest. */
export function assertPhoneNumber(text: string): void {
  if (!/^\+[1-9]\d{6,14}$/.test(text)) throw invalidPhoneNumber()
}

const invalidPhoneNumber = () =>
  refusal(
    'invalid',
    'invalid_phone_number',
    'This is not a phone number. Give plus sign, country and digits without spaces, such as +14155550100.',
  )

export const smsUnavailable = () =>
  refusal('refused', 'unavailable_sms', 'Text messages are not set up here. Use another way.')
