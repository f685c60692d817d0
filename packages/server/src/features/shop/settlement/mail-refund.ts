import type { Transaction } from '../../../tables.ts'
import { orderNumber } from '../orders/index.ts'
import type { Refund } from '../payments/index.ts'
import type { Deps } from './deps.ts'

/** Emails the buyer that a refund was sent, with the claim link if the provider created one. */
export async function mailRefund(
  { orders, accounts, ledger, notifications }: Deps,
  trx: Transaction,
  { id, order_id, amount_in_cents, claim_url }: Refund,
): Promise<void> {
  const order = await orders.loadOrderToChange(trx, order_id)
  const user = await accounts.findAccount(order.user_id, trx)
  // A deleted account cannot claim it.
  if (claim_url && user?.deleted_at) await ledger.leaveToOperators(trx, id, 'done')
  if (!user?.email) return
  await notifications.queueMail(trx, {
    to: user.email,
    user_id: user.id,
    page: `/orders/${order_id}`,
    template: 'refund_sent',
    params: {
      order_number: orderNumber(order),
      amount_in_cents,
      ...(claim_url === null ? {} : { link: claim_url }),
    },
  })
}
