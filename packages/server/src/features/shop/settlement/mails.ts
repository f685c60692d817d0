import type { Letter } from '../../../platform/mail/letter.ts'
import { inDollars, nothingToDo } from '../../../platform/mail/phrases.ts'

type OrderSum = { order_number: string; amount_in_cents: number }

/** A payment arrived for items that are sold or cost more now. */
export const orderCancelled = ({ order_number, amount_in_cents }: OrderSum): Letter => ({
  subject: `Order ${order_number} was cancelled`,
  before: `Your payment of ${inDollars(amount_in_cents)} arrived too late or was incomplete, or the items had been sold or had become more expensive by then. We’ll refund the full amount.`,
  after: `${nothingToDo} We’ll email you when the refund is on its way.`,
})

/** We do not accept the card of the buyer. `amount_in_cents`: the refund; 0 if it was not charged. */
export const cardRefused = ({
  order_number,
  amount_in_cents,
  appeals,
}: OrderSum & { appeals: string }): Letter => ({
  subject: `We can’t accept your card for order ${order_number}`,
  before:
    amount_in_cents > 0
      ? `We can’t accept this card, so we cancelled order ${order_number}. We’ll refund ${inDollars(amount_in_cents)} to the card.`
      : `We can’t accept this card for order ${order_number}. It was not charged.`,
  after: `Choose another card, or contact our support at ${appeals}.`,
})

/**
 * `link`: where the buyer enters the payout address of a crypto refund. `claim_from`: instead of the
 * link, while a former mailbox could take the account back.
 */
export function refundSent({
  order_number,
  amount_in_cents,
  link,
  claim_from,
}: OrderSum & { link?: string; claim_from?: string }): Letter {
  const letter = {
    subject: `Your refund for order ${order_number}`,
    after: `This refund is for order ${order_number}.`,
  }
  const amount = inDollars(amount_in_cents)
  if (claim_from) {
    const before = `We’re refunding ${amount}. The email address of your account was changed recently, so you can claim the refund in your account from ${claim_from} on.`
    return { ...letter, before }
  }
  if (link) {
    return {
      ...letter,
      before: `We’re refunding ${amount}. Please tell us where to send it.`,
      notice: `We’re refunding ${amount}. Tell us where to send it: the email has the link.`,
      link: { label: 'Claim your refund', url: link },
    }
  }
  const sent = `We refunded ${amount} to the card you paid with.`
  return { ...letter, before: `${sent} It can take a few days to appear.`, notice: sent }
}
