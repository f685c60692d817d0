import type { EmojiId } from '@emojid/core'
import { transact } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../tables.ts'
import { announceFreed } from './announce-change.ts'
import type { Deps } from './emoji-ids.ts'
import * as ids from './repository.ts'
import * as rules from './rules.ts'

type HoldingOrder = { order_id: string; user_id: string; expires_at: Date }

/** Holds ids for an order, all or none; returns which of them are owned or held. */
export async function holdIds(
  { now }: Deps,
  trx: Transaction,
  order: HoldingOrder,
  idsToFind: readonly EmojiId[],
) {
  if (idsToFind.length === 0) return { taken: [], held: [] }
  const at = now()
  // Most late buyers get their response without waiting for a lock.
  const unavailable = await ids.findUnavailable(trx, idsToFind, at)
  if (unavailable.length > 0) return { taken: unavailable, held: [] }
  const ownHolds = new Set(await ids.hold(trx, idsToFind, order, at))
  const held = idsToFind.filter((id) => !ownHolds.has(id))
  const taken = await ids.findUnavailable(trx, idsToFind, at)
  if (held.length + taken.length > 0) await ids.removeHolds(trx, order.order_id)
  return { taken, held }
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
