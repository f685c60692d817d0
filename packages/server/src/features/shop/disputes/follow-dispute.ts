import type { Transaction } from '../../../tables.ts'
import { type DisputeRow, isUnsettled } from '../ledger/ledger.ts'
import { type LoadedOrder, type Order, recordOrderEvent } from '../orders/orders.ts'
import type { Deps } from './disputes.ts'
import { auditDispute } from './notify-dispute.ts'
import * as rules from './rules.ts'
import { isAnyFrozen, markItemsRefunded, releaseIds, takeBackBoxes } from './take-back.ts'

export async function beginDispute(
  deps: Deps,
  trx: Transaction,
  order: LoadedOrder,
  dispute: DisputeRow,
): Promise<void> {
  const emoji_ids = await freezeIds(deps, trx, order)
  await auditDispute(
    deps,
    trx,
    'order.disputed',
    { order, dispute },
    { reason: dispute.reason, emoji_ids },
  )
}

export async function winDispute(
  deps: Deps,
  trx: Transaction,
  order: Order,
  dispute: DisputeRow,
): Promise<void> {
  await unfreezeIds(deps, trx, order)
  await auditDispute(deps, trx, 'order.dispute_won', { order, dispute })
}

/** The bank returned the money: revokes the ids as in a refund, without sending money. */
export async function loseDispute(
  deps: Deps,
  trx: Transaction,
  order: LoadedOrder,
  dispute: DisputeRow,
): Promise<DisputeRow> {
  const { ledger, emojiIds, now } = deps
  // The dispute covers the whole order if it takes all the money that was left. Money that covers
  // planned refunds counts for the items of those refunds.
  const refundable = await ledger.findRefundable(trx, order.id)
  const takenCents = await ledger.bookLostDispute(trx, dispute)
  const isWhole = takenCents >= refundable
  if (takenCents === 0 && !isWhole) await unfreezeIds(deps, trx, order)
  if (isWhole) await takeBackBoxes(deps, trx, order)
  const emoji_ids: string[] = []
  for (const ownedId of await emojiIds.lockIdsOfOrder(trx, order.id)) {
    const goes = ownedId.frozen_at !== null && rules.isReleasedAutomatically(ownedId, order, now())
    if (!isWhole || !goes) continue
    await releaseIds(deps, trx, ownedId, null)
    emoji_ids.push(ownedId.emoji_id)
  }
  if (isWhole) await markItemsRefunded(deps, trx, order)
  if (takenCents > 0) await recordOrderEvent(deps, trx, 'order.refunded', order, emoji_ids)
  const awaits_decision = await isAnyFrozen(deps, trx, order)
  const lostDispute = await ledger.updateDispute(trx, dispute.id, { awaits_decision })
  await auditDispute(
    deps,
    trx,
    'order.dispute_lost',
    { order, dispute },
    { emoji_ids, awaits_decision },
  )
  return lostDispute
}

/** Blocks moving ids and opening boxes of the order. */
async function freezeIds(
  { lootboxSales, now, emojiIds }: Deps,
  trx: Transaction,
  order: LoadedOrder,
) {
  await lootboxSales.setFrozen(trx, order.id, now())
  const ownedIds = (await emojiIds.lockIdsOfOrder(trx, order.id)).filter(
    (one) => !rules.isRefunded(order.items, one),
  )
  const emoji_ids = ownedIds.map(({ emoji_id }) => emoji_id)
  await emojiIds.setFrozen(trx, emoji_ids, now())
  return emoji_ids
}

async function unfreezeIds(
  { ledger, lootboxSales, emojiIds }: Deps,
  trx: Transaction,
  order: Order,
): Promise<void> {
  const others = await ledger.findDisputes(trx, [order.id])
  if (others.some(isUnsettled)) return
  await lootboxSales.setFrozen(trx, order.id, null)
  const ownedIds = await emojiIds.lockIdsOfOrder(trx, order.id)
  await emojiIds.setFrozen(
    trx,
    ownedIds.map(({ emoji_id }) => emoji_id),
    null,
  )
}
