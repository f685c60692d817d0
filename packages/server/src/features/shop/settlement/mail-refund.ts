import { toMinuteText } from '../../../platform/time.ts'
import type { Transaction } from '../../../tables.ts'
import { orderNumber } from '../orders/orders.ts'
import type { Refund } from '../payments/payments.ts'
import { refundSent } from './mails.ts'
import type { Deps } from './settlement.ts'

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
  // During that time the account may be a thief's. The link is shown to its owner afterwards.
  const until = claim_url === null ? undefined : await accounts.findUnsettledUntil(user.id, trx)
  const claim = until ? { claim_from: toMinuteText(until) } : claim_url && { link: claim_url }
  const letter = refundSent({ order_number: orderNumber(order), amount_in_cents, ...claim })
  const page = `/orders/${order_id}`
  const mailboxes = until
    ? await accounts.mailboxesFor(trx, user)
    : [{ to: user.email, user_id: user.id }]
  for (const { to, user_id } of mailboxes) {
    await notifications.queueMail(trx, { to, user_id, kind: 'refund_sent', page, letter })
  }
}
