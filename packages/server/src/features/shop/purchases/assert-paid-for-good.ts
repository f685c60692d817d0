import { inField, refusal } from '../../../platform/errors.ts'
import type { Transaction } from '../../../tables.ts'
import type { Ledger } from '../ledger/ledger.ts'

type Deps = {
  ledger: Ledger
  /** How long ids cannot be minted after a card payment. */
  mintAfterCardMs: number
  now: () => Date
}

/** A minted token cannot be revoked when the bank reverses a card payment. */
export async function assertPaidForGood(
  { ledger, mintAfterCardMs, now }: Deps,
  trx: Transaction,
  { order_id }: { order_id: string | null },
): Promise<void> {
  const paid_at = order_id && (await ledger.findLastCardPayment(trx, order_id))
  if (paid_at) assertPaidLongAgo(paid_at, mintAfterCardMs, now())
}

function assertPaidLongAgo(paid_at: Date, waitMs: number, now: Date): void {
  const possible_at = new Date(paid_at.getTime() + waitMs)
  if (possible_at > now) throw cardPayment(possible_at)
}

const cardPayment = (at: Date) => {
  const possible_at = at.toISOString()
  const message = `This id was paid for by card, and the bank may still reverse the payment. It can be minted from ${possible_at}.`
  const { fields } = inField('emoji_id', 'paid_by_card', message)
  return refusal('refused', 'paid_by_card', message, { fields, extra: { possible_at } })
}
