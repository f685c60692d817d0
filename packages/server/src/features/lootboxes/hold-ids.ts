import type { EmojiId } from '@emojid/core'
import type { Transaction } from '../../tables.ts'
import type { Deps } from './lootboxes.ts'

/** The hold expires immediately: it only lasts for the transaction, then the box reserves the ids. */
const longAgo = new Date(0)

/** Holds ids for a box; returns the ids that are owned or held by another order. */
export const holdIds = (
  { emojiIds }: Deps,
  trx: Transaction,
  user_id: string,
  box_id: string,
  ids: readonly EmojiId[],
) => emojiIds.holdIds(trx, { order_id: box_id, user_id, expires_at: longAgo }, ids)
