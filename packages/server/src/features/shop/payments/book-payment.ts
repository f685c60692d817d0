import type { PaymentState } from '../../../platform/payments/gateway.ts'
import type { Transaction } from '../../../tables.ts'
import type { Deps } from './payments.ts'
import type { Attempt } from './repository.ts'

/** Books the payments that are not in the ledger yet; returns their sum. */
export async function bookPayment(
  { ledger }: Deps,
  trx: Transaction,
  attempt: Attempt,
  order_id: string,
  state: PaymentState,
) {
  let bookedCount = 0
  for (const { reference, amount_in_cents } of state.payments) {
    // Dust: its transaction fee or the current rate leaves nothing.
    if (amount_in_cents === 0) continue
    const entry = await ledger.bookEntry(trx, {
      order_id,
      attempt_id: attempt.id,
      kind: 'payment',
      provider: attempt.provider,
      reference,
      amount_in_cents,
      reason: null,
      actor_id: null,
    })
    bookedCount += entry?.amount_in_cents ?? 0
  }
  return bookedCount
}
