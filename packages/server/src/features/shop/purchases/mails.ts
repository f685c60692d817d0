import type { Letter } from '../../../platform/mail/letter.ts'
import { inDollars, nothingToDo } from '../../../platform/mail/phrases.ts'
import type { Transaction } from '../../../tables.ts'
import { type Order, orderNumber } from '../orders/orders.ts'
import type { Deps } from './purchases.ts'

/** Emails the buyer that the order was cancelled, unless nothing is refunded. */
export async function notifyCancellation(
  { accounts, notifications }: Deps,
  trx: Transaction,
  cancelled: Order,
  cents: number,
) {
  // The bank informs the buyer about money that it returned.
  if (cents === 0) return
  const user = await accounts.findAccount(cancelled.user_id, trx)
  if (!user?.email) return
  await notifications.queueMail(trx, {
    to: user.email,
    user_id: user.id,
    page: `/orders/${cancelled.id}`,
    kind: 'order_cancelled',
    letter: orderCancelled({ order_number: orderNumber(cancelled), amount_in_cents: cents }),
  })
}

/** Emails the buyer that we do not accept the card, and whether money comes back. */
export async function mailRefusedCard(
  { accounts, appealsEmail: appeals, notifications }: Deps,
  trx: Transaction,
  order: Order,
  amount_in_cents: number,
): Promise<void> {
  const user = await accounts.findAccount(order.user_id, trx)
  if (!user?.email) return
  await notifications.queueMail(trx, {
    to: user.email,
    user_id: user.id,
    page: `/orders/${order.id}`,
    kind: 'card_refused',
    letter: cardRefused({ order_number: orderNumber(order), amount_in_cents, appeals }),
  })
}

type OrderSum = { order_number: string; amount_in_cents: number }

/** A payment arrived for items that are sold or cost more now. */
const orderCancelled = ({ order_number, amount_in_cents }: OrderSum): Letter => ({
  subject: `Order ${order_number} was cancelled`,
  before: `Your payment of ${inDollars(amount_in_cents)} arrived too late or was incomplete, or the items had been sold or had become more expensive by then. We’ll refund the full amount.`,
  after: `${nothingToDo} We’ll email you when the refund is on its way.`,
})

/** We do not accept the card of the buyer. `amount_in_cents`: the refund; 0 if it was not charged. */
const cardRefused = ({
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
