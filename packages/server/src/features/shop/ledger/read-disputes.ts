import type { Dispute } from '../../../platform/payments/gateway.ts'
import type { Database, Transaction } from '../../../tables.ts'
import type { Deps } from './deps.ts'
import * as entries from './repository.ts'
import { isUnsettled, statusAfter } from './rules.ts'
import type { DisputeQuery } from './schema.ts'
import type { LedgerEntry } from './table.ts'

/** Stores a dispute as the provider reports it; returns it with its former status. */
export async function recordDispute(
  { now }: Deps,
  trx: Transaction,
  payment: LedgerEntry,
  told: Dispute,
) {
  const { status, reference, amount_in_cents, reason, opened_at, answer_until } = told
  const news = { amount_in_cents, reason, answer_until }
  const made = await entries.insertDispute(trx, {
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
  if (made) return { dispute: made, before: undefined }
  const known = await entries.findDisputeNamed(trx, reference)
  const after = statusAfter(known.status, status)
  // A lost dispute is booked and stays lost.
  if (known.status === 'lost') return { dispute: known, before: known.status }
  const dispute = await entries.updateDispute(trx, known.id, {
    ...news,
    status: after,
    closed_at: after === known.status ? known.closed_at : now(),
  })
  return { dispute, before: known.status }
}

export const findDispute = ({ db }: Deps, id: string, from: Database | Transaction = db) =>
  entries.findDispute(from, id)

export async function findDisputes(from: Database | Transaction, order_ids: readonly string[]) {
  return order_ids.length === 0 ? [] : entries.findDisputes(from, order_ids)
}

export const listDisputes = ({ db }: Deps, query: DisputeQuery) =>
  entries.findDisputePage(db, query)

/** Which of these references are known. */
export async function findKnownDisputes({ db }: Deps, references: readonly string[]) {
  if (references.length === 0) return new Set<string>()
  const found = await entries.findDisputeReferences(db, references)
  return new Set(found.map(({ reference }) => reference))
}

/** Whether a bank still decides about money of the order, or an operator about its ids. */
export const isDisputed = async (trx: Transaction, order_id: string): Promise<boolean> =>
  (await entries.findDisputes(trx, [order_id])).some(isUnsettled)

export const isPaymentDisputed = async ({ db }: Deps, payment_id: number): Promise<boolean> =>
  (await entries.findOpenDispute(db, payment_id)) !== undefined

/** Attempts with an open dispute. */
export async function findDisputedAttempts({ db }: Deps): Promise<string[]> {
  return (await entries.findDisputedAttempts(db)).flatMap(({ attempt_id }) => attempt_id ?? [])
}
