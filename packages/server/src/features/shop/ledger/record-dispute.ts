import type { Dispute } from '../../../platform/payments/gateway.ts'
import type { Transaction } from '../../../tables.ts'
import type { Deps } from './ledger.ts'
import type { LedgerEntry } from './repository.ts'
import * as entries from './repository.ts'
import { statusAfter } from './rules.ts'

/** Stores a dispute as the provider reports it; returns it with its former status. */
export async function recordDispute(
  { now }: Deps,
  trx: Transaction,
  payment: LedgerEntry,
  report: Dispute,
) {
  const { status, reference, amount_in_cents, reason, opened_at, answer_until } = report
  const news = { amount_in_cents, reason, answer_until }
  const newDispute = await entries.insertDispute(trx, {
    ...news,
    reference,
    status,
    opened_at,
    created_at: now(),
    payment_id: payment.id,
    order_id: payment.order_id,
    closed_at: status === 'open' ? null : now(),
    decision: null,
    decision_reason: null,
    decided_at: null,
    decided_by: null,
  })
  if (newDispute) return { dispute: newDispute, before: undefined }
  const knownDispute = await entries.findDisputeNamed(trx, reference)
  const after = statusAfter(knownDispute.status, status)
  // A lost dispute is booked and stays lost.
  if (knownDispute.status === 'lost') return { dispute: knownDispute, before: knownDispute.status }
  const dispute = await entries.updateDispute(trx, knownDispute.id, {
    ...news,
    status: after,
    closed_at: after === knownDispute.status ? knownDispute.closed_at : now(),
  })
  return { dispute, before: knownDispute.status }
}
