import { addJob } from '../../../platform/jobs/jobs.ts'
import type { Transaction } from '../../../tables.ts'
import type { Deps } from './ledger.ts'
import { findRests } from './read-ledger.ts'
import type { RefundKind } from './repository.ts'
import * as entries from './repository.ts'
import { allocate } from './rules.ts'

type RefundRequest = {
  order_id: string
  amount_in_cents: number
  kind: RefundKind
  reason: string
  actor_id: string | null
  /** Larger amounts in cryptocurrency are left to operators. */
  automatic_up_to?: number
}

export const refundTask = 'payments.refund'

/** Books a refund, newest payments first; a job sends it the way the money came. */
export async function bookRefund(
  deps: Deps,
  trx: Transaction,
  { amount_in_cents: amount, automatic_up_to = amount, ...refund }: RefundRequest,
) {
  const { now } = deps
  const { order_id, kind, reason, actor_id } = refund
  const refunds = []
  for (const { payment, amount_in_cents } of allocate(await findRests(trx, order_id), amount)) {
    const isLargeInCoins = payment.provider === 'crypto' && amount > automatic_up_to
    const isByHand = payment.kind === 'cash' || isLargeInCoins
    const row = await entries.insertRefund(trx, {
      ...refund,
      amount_in_cents,
      payment_id: payment.id,
      created_at: now(),
      done_at: null,
      status: isByHand ? 'by_hand' : 'queued',
      reference: null,
      sealed_claim: null,
    })
    await entries.insertEntry(trx, {
      created_at: now(),
      order_id,
      attempt_id: payment.attempt_id,
      kind,
      actor_id,
      reason,
      amount_in_cents: -amount_in_cents,
      provider: 'refund',
      reference: row.id,
    })
    if (!isByHand) await queueRefund(trx, row.id)
    refunds.push(row)
  }
  return refunds
}

export const queueRefund = (trx: Transaction, id: string) =>
  addJob(trx, refundTask, { id }, { max_attempts: 100 })
