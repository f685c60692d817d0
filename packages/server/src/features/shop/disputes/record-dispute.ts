import type { Dispute } from '../../../platform/payments/gateway.ts'
import type { Transaction } from '../../../tables.ts'
import type { LedgerEntry } from '../ledger/ledger.ts'
import type { Deps } from './disputes.ts'
import { beginDispute, loseDispute, winDispute } from './follow-dispute.ts'
import { notifyBuyer, notifyOperators } from './notify-dispute.ts'

/**
 * Books a dispute as the provider reports it, and freezes, unfreezes or revokes what was bought.
 */
export async function recordDispute(
  deps: Deps,
  trx: Transaction,
  payment: LedgerEntry,
  reportedDispute: Dispute,
): Promise<void> {
  const { orders, ledger } = deps
  const order = await orders.loadToChange(trx, payment.order_id)
  const { dispute, before } = await ledger.recordDispute(trx, payment, reportedDispute)
  if (dispute.status === before) return
  // A dispute that is first reported as lost also freezes: ids that cannot be revoked automatically
  // stay frozen.
  if (before !== 'open' && dispute.status !== 'won') await beginDispute(deps, trx, order, dispute)
  if (dispute.status === 'won') await winDispute(deps, trx, order, dispute)
  const after = dispute.status === 'lost' ? await loseDispute(deps, trx, order, dispute) : dispute
  await notifyOperators(deps, trx, order, after)
  await notifyBuyer(deps, trx, order, after)
}
