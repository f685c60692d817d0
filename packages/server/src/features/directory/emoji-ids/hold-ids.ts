import type { EmojiId } from '@emojid/core'
import { transact } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../tables.ts'
import { announceFreed } from './announce-change.ts'
import type { Deps } from './emoji-ids.ts'
import * as ids from './repository.ts'
import * as rules from './rules.ts'

type HoldingOrder = { order_id: string; user_id: string; expires_at: Date }

/**
 * Holds ids for an order, all or none; returns which of them are owned or held. Sorted, so that
 * concurrent checkouts of the same ids do not deadlock.
 */
export async function holdIds(
  { now }: Deps,
  trx: Transaction,
  order: HoldingOrder,
  idsToFind: readonly EmojiId[],
) {
  const { order_id, user_id, expires_at } = order
  const at = now()
  const findUnavailable = async () =>
    [...(await ids.findTaken(trx, idsToFind)), ...(await ids.findReserved(trx, idsToFind, at))].map(
      ({ emoji_id }) => emoji_id as EmojiId,
    )
  // Most late buyers get their response without waiting for a lock.
  const unavailable = await findUnavailable()
  if (unavailable.length > 0) return { taken: unavailable, held: [] }
  const heldIds: EmojiId[] = []
  for (const emoji_id of idsToFind.toSorted()) {
    const hold = { emoji_id, user_id, order_id, expires_at }
    if (!(await ids.hold(trx, hold, at))) heldIds.push(emoji_id)
  }
  const unavailableNow = await findUnavailable()
  if (heldIds.length + unavailableNow.length > 0) await ids.removeHolds(trx, order_id)
  return { taken: unavailableNow, held: heldIds }
}

export async function releaseHolds(deps: Deps, trx: Transaction, order_id: string): Promise<void> {
  for (const { emoji_id } of await ids.removeHolds(trx, order_id)) {
    await announceFreed(deps, trx, emoji_id as EmojiId)
  }
}

export async function sweepHolds(deps: Deps): Promise<void> {
  const { now, db } = deps
  const at = now()
  await transact(db, async (trx) => {
    const endedIds = await ids.sweep(trx, at, rules.holdsKeptSince(at))
    for (const id of endedIds) await announceFreed(deps, trx, id as EmojiId)
  })
}
