import type { Transaction } from '../../../tables.ts'
import { moveOrder } from './change-order.ts'
import type { Deps } from './orders.ts'
import type { Order } from './repository.ts'
import * as orders from './repository.ts'

/** Releases everything that a checkout took: holds, codes and open payments. */
export async function releaseHolds(
  { emojiIds, lootboxSales, codes, payments, now }: Deps,
  trx: Transaction,
  { id }: Order,
): Promise<void> {
  await emojiIds.releaseHolds(trx, id)
  await lootboxSales.releaseHolds(trx, id)
  await codes.releaseCodes(trx, id)
  await payments.closePayments(trx, id)
  await orders.endHoldTimes(trx, id, now())
}

export async function returnToDraft(deps: Deps, trx: Transaction, order: Order): Promise<void> {
  await releaseHolds(deps, trx, order)
  await orders.removeDiscounts(trx, order.id)
  await moveOrder(deps, trx, order, 'Draft', { expires_at: null, method: null })
}
