import type { Letter } from '../../../platform/mail/letter.ts'
import { inWords, nothingToDo } from '../../../platform/mail/phrases.ts'
import { quote } from '../../../platform/mail/quote.ts'

/** The records that come with a transferred id. */
type Luggage = {
  records: number
  addresses: string[]
  /** The id was minted, and its token is not with the recipient. */
  token_stays?: true
}
type Coded<Code> = { emoji_id: string; code: Code; link: string; valid_minutes: number }

/** To the sender, who checks the recipient. */
export const senderCode = ({
  emoji_id,
  code,
  receiver,
  link,
  valid_minutes,
}: Coded<string> & { receiver: string }): Letter => ({
  subject: `Confirm the transfer of ${emoji_id}`,
  before: `Your account started a transfer of your emoji id ${emoji_id} to ${receiver}. To continue, sign in with this address and enter this code within ${inWords(valid_minutes)}.`,
  lines: [['Code', code]],
  link: { label: 'Sign in', url: link },
  after: 'Don’t share the code. If you didn’t start this transfer, change your password now.',
})

/** An offered id. `from` and `message` are the sender's; `is_new`: the address is unconfirmed. */
type Offer = {
  luggage: Luggage
  from?: string
  message?: string
  is_organization?: true
  is_new?: true
}

/**
 * To the recipient, who learns which records come with the id. Without a code, it is only a
 * notification.
 */
export const transferOffer = ({
  emoji_id,
  code,
  link,
  valid_minutes,
  ...offer
}: Coded<string | null> & Offer): Letter => ({
  subject: `${emoji_id} is offered to ${offer.is_organization ? 'your organization' : 'you'}`,
  before: `${describeOffer(offer, emoji_id)} ${describeLuggage(offer.luggage)} Open the link to accept or decline it. In another browser, sign in with this address and enter this code, which works for ${inWords(valid_minutes)}.`,
  notice: `Accept or decline it${code === null ? ' there' : ' with the code from the email'}. ${describeLuggage(offer.luggage)}`,
  lines: code === null ? [] : [['Code', code]],
  link: { label: 'See the offer', url: link },
  after:
    'Don’t forward this email or share the code. If you don’t want it, decline it there or ignore this email.',
})

export type ReceivedDetails = {
  by: 'sender' | 'operator'
  luggage: Luggage
  /** The account was created for the transfer. */
  is_new: boolean
  /** An organization of the reader has the id. */
  is_organization?: true
  link: string
}

/** To the new owner. */
export const transferReceived = (
  emoji_id: string,
  { by, luggage, is_new, is_organization, link }: ReceivedDetails,
): Letter => ({
  subject: is_organization
    ? `${emoji_id} belongs to your organization now`
    : `${emoji_id} is yours now`,
  before: `${by === 'sender' ? `The emoji id ${emoji_id} ${is_organization ? 'belongs to your organization' : 'is yours'} now.` : `An operator transferred the emoji id ${emoji_id} to ${is_organization ? 'your organization' : 'you'}.`} ${describeLuggage(luggage)}`,
  link: { label: 'Sign in', url: link },
  after: is_new
    ? 'We created an account for this address. To sign in, request a link.'
    : 'You can transfer it after three days.',
})

/** To the former owners of an id that an operator transferred. */
export const transferForced = (emoji_id: string): Letter => ({
  subject: `An operator transferred ${emoji_id}`,
  before: `An operator transferred your emoji id ${emoji_id} to another account. It is no longer yours.`,
  after: 'Your account wasn’t used for this. If you didn’t expect it, contact our support.',
})

export const transferNews = (emoji_id: string, sentence: string): Letter => ({
  subject: `Update on the transfer of ${emoji_id}`,
  before: sentence,
  after: nothingToDo,
})

/** The sender's words are quoted: they must neither read as ours nor become a link. */
const longestMessage = 500

function describeOffer(
  { from, message, is_organization, is_new }: Omit<Offer, 'luggage'>,
  emoji_id: string,
): string {
  const to = is_organization ? 'your organization' : 'you'
  const offer = from
    ? `The owner of ${from} offers ${to} the emoji id ${emoji_id}.`
    : `${is_organization ? 'Your organization is' : 'You are'} offered the emoji id ${emoji_id}.`
  const about = is_new ? ' An emoji id lets people find and pay you with a few emojis.' : ''
  return `${offer}${about}${message ? ` The message: ${quote(message, longestMessage)}` : ''}`
}

/** Names the former owner's addresses, because payments still go there. */
const describeLuggage = (luggage: Luggage): string =>
  luggage.token_stays ? `${describeRecords(luggage)} ${tokenStays}` : describeRecords(luggage)

const tokenStays =
  'It was minted or may have been, and its token does not come along. The holder of the token can sell it to others.'

function describeRecords({ records, addresses }: Luggage): string {
  if (records === 0) return 'It has no records.'
  if (addresses.length === 0) return 'Its records come with it; none of them is a payment address.'
  return `Its records come with it. Check these payment addresses and replace any that are not yours: ${addresses.join('; ')}.`
}
