import { refusal } from '../../platform/errors.ts'
import type { DisputeRow, LedgerEntry, RefundRow } from './table.ts'

export type Sums = {
  received: number
  refunded: number
  misc_refunded: number
  /** What of `misc_refunded` has left for the buyer; the rest is owed. */
  misc_paid_out: number
  /** What banks took for disputes, beyond refunds. */
  disputed: number
  /** What is left of the money that really came, to be given back. */
  refundable: number
}
export const nothing: Sums = {
  received: 0,
  refunded: 0,
  misc_refunded: 0,
  misc_paid_out: 0,
  disputed: 0,
  refundable: 0,
}

export function sumsOf(
  entries: readonly Pick<LedgerEntry, 'kind' | 'amount_in_cents'>[],
  misc_paid_out: number,
): Sums {
  const sum = (...kinds: LedgerEntry['kind'][]) =>
    entries
      .filter(({ kind }) => kinds.includes(kind))
      .reduce((total, { amount_in_cents }) => total + Math.abs(amount_in_cents), 0)
  return {
    received: sum('payment', 'cash', 'override', 'write_off'),
    refunded: sum('refund'),
    misc_refunded: sum('misc_refund'),
    misc_paid_out,
    disputed: sum('dispute'),
    // A bank may take what was given back before.
    refundable: Math.max(0, sum('payment', 'cash') - sum('refund', 'misc_refund') - sum('dispute')),
  }
}

/** Whether the bank has not decided, or an operator has not. */
export const isUnsettled = ({ status, awaits_decision }: DisputeRow): boolean =>
  status === 'open' || awaits_decision

/**
 * What a dispute is after its provider told something of it. What was asked first may be heard
 * last, so nothing opens again that is closed; what is lost is gone.
 */
export function statusAfter(
  before: DisputeRow['status'],
  told: DisputeRow['status'],
): DisputeRow['status'] {
  if (before === 'lost') return 'lost'
  return told === 'open' ? before : told
}

/** Planned refunds that a bank has paid by deciding for the buyer: the whole of each, or nothing. */
export function paidByBank(refunds: readonly RefundRow[], amount: number) {
  let left = amount
  const paid: RefundRow[] = []
  for (const refund of refunds) {
    if (refund.status === 'done' || refund.amount_in_cents > left) continue
    paid.push(refund)
    left -= refund.amount_in_cents
  }
  return { paid, left }
}

type Left = { payment: LedgerEntry; left: number }
type Part = { payment: LedgerEntry; amount_in_cents: number }

/** Which payments a refund is taken from: the newest first, none more than is left of it. */
export function allocate(payments: readonly Left[], amount: number): Part[] {
  const parts: Part[] = []
  let missing = amount
  for (const { payment, left } of payments.toSorted((a, b) => b.payment.id - a.payment.id)) {
    const amount_in_cents = Math.min(missing, left)
    if (amount_in_cents <= 0) continue
    parts.push({ payment, amount_in_cents })
    missing -= amount_in_cents
  }
  if (missing > 0) throw refundTooLarge()
  return parts
}

const refundTooLarge = () =>
  refusal('refused', 'refund_too_large', 'This is more than what was paid and not yet given back.')
