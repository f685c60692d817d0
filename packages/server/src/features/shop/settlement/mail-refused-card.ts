import type { Transaction } from '../../../tables.ts'
import { type Order, orderNumber } from '../orders/orders.ts'
import { cardRefused } from './mails.ts'
import type { Deps } from './settlement.ts'

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
