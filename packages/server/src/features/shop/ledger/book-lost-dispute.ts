import type { Transaction } from '../../../tables.ts'
import type { Deps } from './ledger.ts'
import type { DisputeRow, RefundRow } from './repository.ts'
import * as entries from './repository.ts'
import { excessOf, paidByBank, restOf } from './rules.ts'

/**
 * Books a lost dispute. The bank's money covers planned refunds first, which are then not sent;
 * returns the rest.
 */
export async function bookLostDispute(
  deps: Deps,
  trx: Transaction,
  { id, payment_id, order_id, ...dispute }: DisputeRow,
) {
  const payment = await entries.lockPayment(trx, payment_id)
  const planned = (await entries.findRefunds(trx, order_id)).filter(
    (refund) => refund.payment_id === payment_id,
  )
  const { reference, amount_in_cents } = dispute
  const { parts, rest } = paidByBank(planned, amount_in_cents)
  for (const { refund, cents } of parts) await payPart(deps, trx, refund, cents, reference)
  if (rest > 0) {
    await entries.insertEntry(trx, {
      created_at: deps.now(),
      order_id,
      attempt_id: payment.attempt_id,
      kind: 'dispute',
      actor_id: null,
      amount_in_cents: -rest,
      provider: 'dispute',
      reference,
      reason: dispute.reason,
    })
  }
  await entries.updateDispute(trx, id, { taken_in_cents: rest })
  return rest
}

/**
 * Refunds never exceed the payment: money that a bank took beyond it covers the refund. Returns the
 * amount left to send or pay by hand.
 */
export async function settleExcess(deps: Deps, trx: Transaction, id: string): Promise<number> {
  const refund = await lockRefund(trx, id)
  if (!refund || refund.status === 'done') return 0
  const payment = await entries.findEntry(trx, refund.payment_id)
  const refunds = await entries.findRefunds(trx, refund.order_id)
  const disputes = await entries.findDisputes(trx, [refund.order_id])
  return coverByBank(deps, trx, refund, excessOf(payment, refunds, disputes))
}

/**
 * Leaves a refund to operators because the provider cannot send it. If its dispute was lost, the
 * bank's money covers it.
 */
export async function leaveToOperators(
  deps: Deps,
  trx: Transaction,
  id: string,
  from: 'queued' | 'done',
): Promise<boolean> {
  const current = await lockRefund(trx, id)
  // A concurrent check, the bank or an operator may have paid it meanwhile.
  if (!current || current.is_given_by_hand || restOf(current) === 0) return false
  const change = { reference: null, sealed_claim: null, done_at: null, paid_out_at: null }
  const isMoved = await entries.moveRefund(trx, { id, from, to: 'by_hand' }, change)
  const refund = isMoved ? await entries.findRefund(trx, id) : undefined
  if (refund) await coverByBank(deps, trx, refund, from === 'done' ? restOf(refund) : 0)
  return isMoved
}

/** Locks the payment: its disputes and refunds change one after the other. */
async function lockRefund(trx: Transaction, id: string) {
  const refund = await entries.findRefund(trx, id)
  if (refund) await entries.lockPayment(trx, refund.payment_id)
  return refund && entries.findRefund(trx, id)
}

/** Covers a refund with money that banks took; returns the rest. */
async function coverByBank(deps: Deps, trx: Transaction, refund: RefundRow, most: number) {
  const disputes = await entries.findDisputes(trx, [refund.order_id])
  let covered = refund
  let missing = Math.min(most, restOf(refund))
  for (const { id, payment_id, reference, reason, taken_in_cents } of disputes) {
    const cents = payment_id === refund.payment_id ? Math.min(missing, taken_in_cents) : 0
    if (cents <= 0) continue
    await entries.updateDispute(trx, id, { taken_in_cents: taken_in_cents - cents })
    await entries.insertEntry(trx, {
      created_at: deps.now(),
      order_id: refund.order_id,
      attempt_id: null,
      kind: 'dispute',
      actor_id: null,
      amount_in_cents: cents,
      provider: 'dispute',
      reference: `${reference} ${refund.id} ${covered.by_bank_in_cents}`,
      reason,
    })
    covered = await payPart(deps, trx, covered, cents, reference)
    missing -= cents
  }
  return restOf(covered)
}

/** A refund that the bank paid in full is done. */
async function payPart(
  { now }: Deps,
  trx: Transaction,
  refund: RefundRow,
  cents: number,
  reference: string,
): Promise<RefundRow> {
  const { id, status } = refund
  const by_bank_in_cents = refund.by_bank_in_cents + cents
  const paidRefund: RefundRow = { ...refund, by_bank_in_cents }
  if (restOf(paidRefund) > 0) {
    await entries.moveRefund(trx, { id, from: status, to: status }, { by_bank_in_cents })
    return paidRefund
  }
  const change = { reference, sealed_claim: null, done_at: now(), paid_out_at: now() }
  await entries.moveRefund(trx, { id, from: status, to: 'done' }, { ...change, by_bank_in_cents })
  return paidRefund
}
