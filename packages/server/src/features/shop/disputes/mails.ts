import type { Letter } from '../../../platform/mail/letter.ts'
import { inDollars, nothingToDo } from '../../../platform/mail/phrases.ts'

/** To the buyer, when the bank opens a dispute. */
export const paymentDisputed = (order_number: string, amount_in_cents: number): Letter => ({
  subject: `The payment for order ${order_number} is disputed`,
  before: `Your bank opened a dispute about your payment of ${inDollars(amount_in_cents)} for order ${order_number}. Until the bank decides, your purchase is frozen: lookups and payments work as before, but you can’t transfer, release, mint or open it.`,
  after:
    'If this is a mistake, tell your bank that the payment is valid. We lift the freeze as soon as the bank confirms it.',
})

/** The fate of a purchase after a lost dispute. */
const afterLost = {
  frozen: 'Your purchase stays frozen until we decide about it.',
  gone: 'Your purchase is no longer yours.',
  as_planned: 'This replaces the refund that we had planned for you. Nothing else changes.',
}

/** To the buyer, once the bank has decided; `left` is the fate of the purchase. */
export const disputeClosed = (
  order_number: string,
  outcome: 'won' | 'lost',
  left: keyof typeof afterLost,
): Letter => ({
  subject: `The dispute about order ${order_number} is closed`,
  before:
    outcome === 'won'
      ? 'Your bank decided that the payment is valid. Your purchase is no longer frozen.'
      : `Your bank refunded you. ${afterLost[left]}`,
  after: nothingToDo,
})

/** To operators. */
export const disputeNews = (order_number: string, sentence: string, link: string): Letter => ({
  subject: `Dispute about order ${order_number}`,
  before: sentence,
  link: { label: 'View the dispute', url: link },
  after: 'You get this email because you are an operator of this service.',
})

/** To the buyer, after an operator decided about the purchase. */
export const disputeDecided = (
  order_number: string,
  decision: 'taken_back' | 'left',
  emoji_ids: readonly string[],
): Letter => ({
  subject: `Our decision about order ${order_number}`,
  before:
    decision === 'left'
      ? 'The payment for this order was disputed. We decided that these items stay with their current owners. They are no longer frozen.'
      : 'The payment for this order was disputed, and your bank refunded you. We took these items back:',
  lines: emoji_ids.map((id) => [id, decision === 'left' ? 'stays' : 'taken back']),
  after: nothingToDo,
})

/** To the former owner of an id that an operator took back after a lost dispute. */
export const idTakenBack = (emoji_id: string, reason: string): Letter => ({
  subject: `We took ${emoji_id} back`,
  before: `The buyer of the emoji id ${emoji_id} disputed the payment, and the bank refunded it. We took the id back: ${reason}`,
  after: 'The id is no longer yours. Your account wasn’t used for this.',
})
