import type { Transaction } from '../../../tables.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import type { DisputeRow } from '../ledger/ledger.ts'
import { type Order, orderNumber } from '../orders/orders.ts'
import type { Deps } from './disputes.ts'
import * as mails from './mails.ts'
import * as rules from './rules.ts'

export function auditDispute(
  { audit }: Deps,
  trx: Transaction,
  event: Parameters<Audit['writeEntry']>[1],
  { order, dispute }: { order: Order; dispute: DisputeRow },
  { actor_id = null, ...more }: { actor_id?: string | null; [name: string]: unknown } = {},
) {
  const { id: dispute_id, reference, amount_in_cents } = dispute
  const details = { order_id: order.id, dispute_id, reference, amount_in_cents, ...more }
  return audit.writeEntry(trx, event, { actor_id, subject_id: order.user_id, details })
}

export async function notifyOperators(
  { webUrl, accounts, notifications }: Deps,
  trx: Transaction,
  order: Order,
  dispute: DisputeRow,
) {
  const page = `/admin/disputes/${dispute.id}`
  const sentence = rules.sentenceOf(dispute)
  const letter = mails.disputeNews(orderNumber(order), sentence, `${webUrl}${page}`)
  for (const { id: user_id, email: to } of await accounts.findOperators(trx)) {
    if (!to) continue
    await notifications.queueMail(trx, { to, user_id, kind: 'dispute_news', page, letter })
  }
}

export async function notifyBuyer(
  { accounts, notifications }: Deps,
  trx: Transaction,
  order: Order,
  dispute: DisputeRow,
) {
  const buyer = await accounts.findAccount(order.user_id, trx)
  if (!buyer?.email || buyer.deleted_at) return
  const { status, amount_in_cents } = dispute
  const to = { to: buyer.email, user_id: buyer.id, page: `/orders/${order.id}` }
  const order_number = orderNumber(order)
  const news =
    status === 'open'
      ? {
          kind: 'payment_disputed',
          letter: mails.paymentDisputed(order_number, amount_in_cents),
        }
      : {
          kind: 'dispute_closed',
          letter: mails.disputeClosed(order_number, status, rules.leftAfter(dispute)),
        }
  await notifications.queueMail(trx, { ...to, ...news })
}
