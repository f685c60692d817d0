import { bindUseCases } from '../../../platform/bind.ts'
import { leaveIds, takeBackIds } from './decide-dispute.ts'
import type { Deps } from './deps.ts'
import { beginDispute, loseDispute, winDispute } from './follow-dispute.ts'
import { notifyBuyer, notifyOperators } from './notify-dispute.ts'
import { listDisputes, showDispute } from './read-disputes.ts'

export type Disputes = ReturnType<typeof createDisputes>

/**
 * What it means for an order that its payment is disputed. Rows are locked in this order: the
 * order, its boxes, its ids, so that opening a box or a transfer happens before or after, never in between.
 */
export function createDisputes(deps: Deps) {
  const { payments, orders, ledger } = deps
  payments.whenDisputed(async (trx, payment, told) => {
    const order = await orders.loadToChange(trx, payment.order_id)
    const { dispute, before } = await ledger.noteDispute(trx, payment, told)
    if (dispute.status === before) return
    // One that is heard of only when it is lost freezes first, so that what cannot go stays.
    if (before !== 'open' && dispute.status !== 'won') await beginDispute(deps, trx, order, dispute)
    if (dispute.status === 'won') await winDispute(deps, trx, order, dispute)
    const after = dispute.status === 'lost' ? await loseDispute(deps, trx, order, dispute) : dispute
    await notifyOperators(deps, trx, order, after)
    await notifyBuyer(deps, trx, order, after)
  })
  return bindUseCases(deps, {
    list: listDisputes,
    get: showDispute,
    takeBack: takeBackIds,
    leave: leaveIds,
  })
}
