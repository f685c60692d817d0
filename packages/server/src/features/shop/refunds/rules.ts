import { refusal } from '../../../platform/errors.ts'
import type { OwnedId } from '../../directory/emoji-ids/index.ts'
import { isBox, isId, isRefundTime, type Order, type OrderItem } from '../orders/index.ts'

/** Whether the buyer waits for an answer. */
export const isAsked = ({ refund_requested_at, refund_answered_at }: Order): boolean =>
  refund_requested_at !== null && refund_answered_at === null

/** A refund answers the buyer's request, also one that was declined before. */
export const answerTo = ({ refund_requested_at, refund_answered_at }: Order, now: Date) =>
  refund_requested_at === null
    ? {}
    : { refund_answered_at: refund_answered_at ?? now, refund_declined: null }

/** Whether it was bought and has not gone back. */
export const isThere = (item: OrderItem): boolean =>
  (isId(item) || isBox(item)) && item.refunded_quantity === 0

/** The ids and boxes of an order that are to be given back. */
export function chooseItems(items: readonly OrderItem[], wanted: readonly string[] | undefined) {
  const open = items.filter(isThere)
  const chosen = wanted ? open.filter(({ id }) => wanted.includes(id)) : open
  if (chosen.length === 0 || chosen.length < (wanted?.length ?? 0)) throw nothingToRefund()
  return chosen
}

/** An opened box is not refunded: the buyer knows what is in it. */
export function assertBoxRefundable(order: Order, isBack: boolean, now: Date): void {
  const name = 'The lootbox'
  if (!isRefundTime(order, now)) throw notRefundable(name, 'It was bought too long ago.')
  if (!isBack) throw notRefundable(name, 'It was opened, or the buyer has it no more.')
}

/** Whether the buyer has what they bought with this order, and not with another since. */
export const isOfOrder = (owned: OwnedId | undefined, order: Order): owned is OwnedId =>
  owned?.user_id === order.user_id && owned.order_id === order.id

export function assertRefundable(
  order: Order,
  { emoji_id }: OrderItem,
  owned: OwnedId | undefined,
  now: Date,
): void {
  const name = emoji_id ?? 'This'
  if (!isRefundTime(order, now)) throw notRefundable(name, 'It was bought too long ago.')
  if (!isOfOrder(owned, order)) throw notRefundable(name, 'The buyer has it no more.')
  if (owned.minted) throw notRefundable(name, 'It was minted.')
}

const nothingToRefund = () =>
  refusal(
    'refused',
    'nothing_to_refund',
    'The order has no such items that are not given back yet.',
  )

export const nothingRefundable = () =>
  refusal(
    'refused',
    'not_refundable',
    'Nothing of this order can be given back: only what was paid for at most 14 days ago, what the buyer still has, ids that were not minted, and lootboxes that are closed.',
  )

const notRefundable = (name: string, reason: string) =>
  refusal('refused', 'not_refundable', `${name} cannot be given back. ${reason}`)

export const disputed = () =>
  refusal(
    'refused',
    'disputed',
    'The payment for this order is disputed: its bank decides who gets the money, and nothing is given back beside it.',
  )

export const notAsked = () =>
  refusal('refused', 'not_asked', 'No request of the buyer waits for an answer.')

export const notByHand = () =>
  refusal(
    'refused',
    'not_by_hand',
    'This refund does not need a manual payout: it was paid before, or the bank paid it.',
  )

export const alreadySent = () =>
  refusal(
    'refused',
    'already_sent',
    'The payment provider has sent this refund. Do not pay it a second time.',
  )

export const unknownRefund = () =>
  refusal('not_found', 'unknown_refund', 'There is no such refund.')
