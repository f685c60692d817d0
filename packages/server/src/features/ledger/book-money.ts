import type { Transaction } from '../../tables.ts'
import type { Deps } from './deps.ts'
import * as entries from './repository.ts'
import { paidByBank } from './rules.ts'
import type { DisputeRow } from './table.ts'

type Entry = Omit<Parameters<typeof entries.insertEntry>[1], 'created_at'>

export const bookEntry = ({ now }: Deps, trx: Transaction, entry: Entry) =>
  entries.insertEntry(trx, { ...entry, created_at: now() })

/**
 * The bank decided for the buyer. Refunds that were planned are paid with that, and not again;
 * answers what it took beyond them.
 */
export async function bookLost(
  deps: Deps,
  trx: Transaction,
  { id, payment_id, order_id, ...dispute }: DisputeRow,
) {
  const { now } = deps
  const planned = (await entries.findRefunds(trx, order_id)).filter(
    (refund) => refund.payment_id === payment_id,
  )
  const { reference, amount_in_cents } = dispute
  const { paid, left } = paidByBank(planned, amount_in_cents)
  for (const { id: refund_id, status } of paid) {
    const change = { reference, sealed_claim: null, done_at: now(), paid_out_at: now() }
    await entries.moveRefund(trx, { id: refund_id, from: status, to: 'done' }, change)
  }
  const payment = await entries.findEntry(trx, payment_id)
  if (left > 0) {
    await bookEntry(deps, trx, {
      order_id,
      attempt_id: payment.attempt_id,
      kind: 'dispute',
      actor_id: null,
      amount_in_cents: -left,
      provider: 'dispute',
      reference,
      reason: dispute.reason,
    })
  }
  await entries.updateDispute(trx, id, { taken_in_cents: left })
  return left
}
