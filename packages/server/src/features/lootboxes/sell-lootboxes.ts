import { parseEmojiId } from '@emojid/core'
import type { Transaction } from '../../tables.ts'
import type { Deps } from './lootboxes.ts'
import * as boxes from './repository.ts'

type Buyer = { id: string; user_id: string }

/** Grants the held boxes to the buyer; returns false if a wanted box is not held, or an id in it was reserved. */
export async function grantHeldLootboxes(
  { now, emojiIds }: Deps,
  trx: Transaction,
  { id, user_id }: Buyer,
  ids: readonly string[],
) {
  if (ids.length === 0) return true
  const contents = (await boxes.findAll(trx, ids)).flatMap(({ yats }) => yats)
  const reservedIds = await emojiIds.findOnList(
    trx,
    contents.map((text) => parseEmojiId(text)),
  )
  if (reservedIds.length > 0) return false
  const soldIds = new Set((await boxes.sell(trx, id, user_id, now())).map((box) => box.id))
  return ids.every((id) => soldIds.has(id))
}

/** Puts a sold box on sale again; returns false if the buyer opened it or no longer owns it. */
export async function takeBackLootbox(
  { now }: Deps,
  trx: Transaction,
  { id: order_id, user_id }: Buyer,
  id: string,
) {
  const sale = { order_id, owner_id: user_id, at: now() }
  return (await boxes.takeBack(trx, id, sale)) !== undefined
}
