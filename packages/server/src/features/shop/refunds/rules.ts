import { refusal } from '../../../platform/errors.ts'
import type { Letter } from '../../../platform/mail/letter.ts'
import { inDollars } from '../../../platform/mail/phrases.ts'
import type { OwnedId } from '../../directory/emoji-ids/emoji-ids.ts'
import { isBox, isId, isRefundTime, type Order, type OrderItem } from '../orders/orders.ts'

/** Whether the refund request is open. */
export const hasOpenRequest = ({ refund_requested_at, refund_answered_at }: Order): boolean =>
  refund_requested_at !== null && refund_answered_at === null

export const requestedSentence = (order_number: string): string =>
  `A refund of your order ${order_number} was requested. If we grant it, you lose what you bought with it.`

export const revokedReason =
  'The access to your account was revoked meanwhile, so someone else may have sent it.'

/** To the buyer, when an operator declined the request. */
export const refundDeclined = (order_number: string, reason: string): Letter => ({
  subject: `We declined the refund for order ${order_number}`,
  before: `We reviewed your refund request and declined it: ${reason}`,
  after: 'You keep your purchase. If we missed something, send another request from your order.',
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
}: {
  order_number: string
  amount_in_cents: number
  link?: string
  claim_from?: string
}): Letter {
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

/** A refund answers the buyer's request, even one that was declined before. */
export const answerTo = ({ refund_requested_at, refund_answered_at }: Order, now: Date) =>
  refund_requested_at === null
    ? {}
    : { refund_answered_at: refund_answered_at ?? now, refund_declined: null }

/** Whether it was bought and not refunded. */
export const isUnrefunded = (item: OrderItem): boolean =>
  (isId(item) || isBox(item)) && item.refunded_quantity === 0

/** The ids and boxes to refund. */
export function chooseItems(items: readonly OrderItem[], ids: readonly string[] | undefined) {
  const open = items.filter(isUnrefunded)
  const chosenItems = ids ? open.filter(({ id }) => ids.includes(id)) : open
  if (chosenItems.length === 0 || chosenItems.length < (ids?.length ?? 0)) throw nothingToRefund()
  return chosenItems
}

/** An opened box is not refundable: the buyer has seen its contents. */
export function assertBoxRefundable(order: Order, isBack: boolean, now: Date): void {
  const name = 'The lootbox'
  if (!isRefundTime(order, now)) throw notRefundable(name, 'It was bought too long ago.')
  if (!isBack) throw notRefundable(name, 'It was opened, or the buyer no longer has it.')
}

/** Whether the buyer owns the id through this order, and not through a later one. */
export const isOfOrder = (ownedId: OwnedId | undefined, order: Order): ownedId is OwnedId =>
  ownedId?.user_id === order.user_id && ownedId.order_id === order.id

export function assertRefundable(
  order: Order,
  { emoji_id }: OrderItem,
  ownedId: OwnedId | undefined,
  now: Date,
): void {
  const name = emoji_id ?? 'This'
  if (!isRefundTime(order, now)) throw notRefundable(name, 'It was bought too long ago.')
  if (!isOfOrder(ownedId, order)) throw notRefundable(name, 'The buyer no longer has it.')
  if (ownedId.minted) throw notRefundable(name, 'It was minted.')
}

const nothingToRefund = () =>
  refusal(
    'refused',
    'nothing_to_refund',
    'The order does not have these items, or they are already refunded.',
  )

export const nothingRefundable = () =>
  refusal(
    'refused',
    'not_refundable',
    'Nothing of this order can be refunded. Refunds need a payment within the last 14 days, ids that the buyer still owns and has not minted, or unopened lootboxes.',
  )

const notRefundable = (name: string, reason: string) =>
  refusal('refused', 'not_refundable', `${name} can’t be refunded. ${reason}`)

export const disputedError = () =>
  refusal(
    'refused',
    'disputed',
    'The payment for this order is disputed. Until the bank decides, nothing can be refunded.',
  )

export const notAsked = () =>
  refusal('refused', 'not_asked', 'This order has no open refund request.')

export const notByHand = () =>
  refusal(
    'refused',
    'not_by_hand',
    'This refund does not need a manual payout: it was already paid, or the bank paid it.',
  )

export const alreadySent = () =>
  refusal(
    'refused',
    'already_sent',
    'The payment provider has already sent this refund. Do not pay it a second time.',
  )

export const unknownRefund = () =>
  refusal('not_found', 'unknown_refund', 'This refund does not exist.')
