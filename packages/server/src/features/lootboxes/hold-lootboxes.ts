import type { Transaction } from '../../tables.ts'
import type { Deps } from './lootboxes.ts'
import { findOffers } from './offer-lootboxes.ts'
import * as boxes from './repository.ts'

type Holder = { order_id: string; expires_at: Date }

/**
 * Holds boxes for an order, sorted by id to avoid deadlocks. A box that another order holds is
 * `InCart`.
 */
export async function holdLootboxes(
  deps: Deps,
  trx: Transaction,
  { order_id, expires_at }: Holder,
  ids: readonly string[],
) {
  const { now, isSold } = deps
  const heldIds = new Set<string>()
  for (const id of ids.toSorted()) {
    const hold = { order_id, held_until: expires_at, at: now() }
    if (isSold && (await boxes.hold(trx, id, hold))) heldIds.add(id)
  }
  return findOffers(deps, trx, ids, ({ id }) => (heldIds.has(id) ? 'Available' : 'InCart'))
}
