import type { EmojiId } from '@emojid/core'
import { transact } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../tables.ts'
import { assertScope, type Principal } from '../../operations/access/index.ts'
import {
  assertNotOwn,
  coolingEnd,
  isBox,
  netPriceOf,
  notPaid,
  type Order,
  type OrderItem,
  recordOrderEvent,
} from '../orders/orders.ts'
import { assertUndisputed } from './assert-undisputed.ts'
import type { Deps } from './deps.ts'
import * as rules from './rules.ts'
import type { Refund } from './schema.ts'

/** Revokes the ids with everything behind them, then refunds the money the way it came. */
export async function refundOrder(
  deps: Deps,
  caller: Principal,
  id: string,
  { reason, item_ids, override }: Refund,
) {
  const { db, accounts, orders, now, ledger, audit } = deps
  if (override) assertScope(caller, 'order:refundOverride')
  const actor_id = caller.user_id
  await transact(db, async (trx) => {
    const order = await orders.loadOrderToChange(trx, id)
    assertNotOwn(caller, order)
    if (order.status !== 'Paid') throw notPaid()
    await accounts.assertSettledMailbox(trx, order.user_id)
    await assertUndisputed(deps, trx, id)
    const { items } = order
    const chosenItems = rules.chooseItems(items, item_ids)
    for (const item of chosenItems) {
      await takeBackIds(deps, trx, actor_id, order, item, override === true)
      await orders.updateItem(trx, item.id, { refunded_quantity: 1, updated_at: now() })
    }
    const amount = chosenItems.reduce((sum, item) => sum + netPriceOf(item, items), 0)
    const emoji_ids = chosenItems.flatMap(({ emoji_id }) => emoji_id ?? [])
    const lootbox_ids = chosenItems.flatMap(({ lootbox_id }) => lootbox_id ?? [])
    const amount_in_cents = Math.min(amount, await ledger.findRefundable(trx, id))
    if (amount_in_cents > 0) {
      const refund = { order_id: id, amount_in_cents, reason, actor_id }
      await ledger.bookRefund(trx, { ...refund, kind: 'refund' })
    }
    await orders.updateOrder(trx, id, rules.answerTo(order, now()))
    const details = { order_id: id, emoji_ids, lootbox_ids, amount_in_cents, reason }
    const entry = { actor_id, subject_id: order.user_id, details }
    await audit.writeEntry(trx, 'order.refunded', entry)
    await recordOrderEvent(deps, trx, 'order.refunded', order, emoji_ids)
  })
  return orders.showOrder(id, true)
}

/**
 * Revokes the item from the buyer. With `override` a minted id or an opened box is refunded and
 * stays.
 */
async function takeBackIds(
  { lootboxSales, now, emojiIds }: Deps,
  trx: Transaction,
  actor_id: string,
  order: Order,
  item: OrderItem,
  override: boolean,
) {
  if (isBox(item)) {
    const isBack = await lootboxSales.takeBackLootbox(trx, order, item.lootbox_id)
    if (!override) rules.assertBoxRefundable(order, isBack, now())
    return
  }
  const ownedId = await emojiIds.findIdToChange(trx, item.emoji_id as EmojiId)
  if (!override) rules.assertRefundable(order, item, ownedId, now())
  // The owner of the token keeps the id.
  if (rules.isOfOrder(ownedId, order) && !ownedId.minted) {
    await emojiIds.revokeId(trx, actor_id, ownedId, coolingEnd(now()))
  }
}
