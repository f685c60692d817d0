import { refusal } from '../../../platform/errors.ts'
import type { DisputeRow, LedgerEntry, RefundRow } from './repository.ts'

export type Sums = {
  /** Money of the buyer, without overrides and write-offs. */
  paid: number
  received: number
  refunded: number
  misc_refunded: number
  /** The part of `misc_refunded` that was paid out; the rest is owed. */
  misc_paid_out: number
  /** Money that banks took for disputes, beyond refunds. */
  disputed: number
  /** The paid money that can still be refunded. */
  refundable: number
  /** The attempt of the newest payment through a provider. */
  paid_by: string | null
}
type Booked = {
  entries: readonly Pick<LedgerEntry, 'kind' | 'amount_in_cents' | 'attempt_id'>[]
  /** The paid-out refunds beyond the price. */
  misc_paid_out: number
}

export function sumsOf({ entries, misc_paid_out }: Booked): Sums {
  const sum = (...kinds: LedgerEntry['kind'][]) =>
    entries
      .filter(({ kind }) => kinds.includes(kind))
      .reduce((total, { amount_in_cents }) => total + amount_in_cents, 0)
  const paidSum = sum('payment', 'cash')
  const [refunded, misc_refunded, disputed] = [
    0 - sum('refund'),
    0 - sum('misc_refund'),
    0 - sum('dispute'),
  ]
  return {
    paid: paidSum,
    received: sum('payment', 'cash', 'override', 'write_off'),
    refunded,
    misc_refunded,
    misc_paid_out,
    disputed,
    // A bank may take money that was already refunded.
    refundable: Math.max(0, paidSum - refunded - misc_refunded - disputed),
    paid_by:
      entries.findLast(({ kind, attempt_id }) => kind === 'payment' && attempt_id !== null)
        ?.attempt_id ?? null,
  }
}

/** Whether the bank or an operator has not decided yet. */
export const isUnsettled = ({ status, awaits_decision }: DisputeRow): boolean =>
  status === 'open' || awaits_decision

/**
 * The status of a dispute after a report. Reports may arrive out of order, so a closed dispute
 * never opens again, and a lost one stays lost.
 */
export function statusAfter(
  before: DisputeRow['status'],
  reported: DisputeRow['status'],
): DisputeRow['status'] {
  if (before === 'lost') return 'lost'
  return reported === 'open' ? before : reported
}

/** The part of a refund that is still to be sent or paid by hand. */
export const restOf = (refund: Pick<RefundRow, 'amount_in_cents' | 'by_bank_in_cents'>): number =>
  refund.amount_in_cents - refund.by_bank_in_cents

/** The parts of planned refunds that the bank's money covers, oldest first. */
export function paidByBank(refunds: readonly RefundRow[], amount: number) {
  let rest = amount
  const parts: { refund: RefundRow; cents: number }[] = []
  for (const refund of refunds) {
    const cents = refund.status === 'done' ? 0 : Math.min(rest, restOf(refund))
    if (cents <= 0) continue
    parts.push({ refund, cents })
    rest -= cents
  }
  return { parts, rest }
}

/** The excess of refunds and disputed money over the payment. */
export function excessOf(
  { id, amount_in_cents }: Pick<LedgerEntry, 'id' | 'amount_in_cents'>,
  refunds: readonly RefundRow[],
  disputes: readonly DisputeRow[],
): number {
  const refunded = refunds
    .filter(({ payment_id }) => payment_id === id)
    .reduce((sum, refund) => sum + refund.amount_in_cents, 0)
  const takenCents = disputes
    .filter(({ payment_id }) => payment_id === id)
    .reduce((sum, { taken_in_cents }) => sum + taken_in_cents, 0)
  return Math.max(0, refunded + takenCents - amount_in_cents)
}

type PaymentRest = { payment: LedgerEntry; rest: number }
type Part = { payment: LedgerEntry; amount_in_cents: number }

/** Splits a refund over payments: newest first, none beyond its rest. */
export function allocate(payments: readonly PaymentRest[], amount: number): Part[] {
  const parts: Part[] = []
  let missing = amount
  for (const { payment, rest } of payments.toSorted((a, b) => b.payment.id - a.payment.id)) {
    const amount_in_cents = Math.min(missing, rest)
    if (amount_in_cents <= 0) continue
    parts.push({ payment, amount_in_cents })
    missing -= amount_in_cents
  }
  if (missing > 0) throw tooLargeRefund()
  return parts
}

const tooLargeRefund = () =>
  refusal('refused', 'too_large_refund', 'This is more than the money that is left to refund.')
