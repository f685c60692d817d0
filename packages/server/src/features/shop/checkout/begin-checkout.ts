import type { EmojiId } from '@emojid/core'
import type { Transaction } from '../../../tables.ts'
import type { Offer } from '../../directory/catalog/catalog.ts'
import { feesOn, markOf, pricedAt } from '../carts/carts.ts'
import { isBox, isId, type LoadedOrder, type OrderItem } from '../orders/orders.ts'
import type { Deps } from './deps.ts'
import * as rules from './rules.ts'

export const endOfHold = ({ now, holdMs }: Deps) => new Date(now().getTime() + holdMs)

/** Holds all items at current prices; returns the problems of items that cannot be bought. */
export async function beginCheckout(
  deps: Deps,
  trx: Transaction,
  order: LoadedOrder,
  method: string | null,
) {
  const { orders, lootboxSales, carts, now, emojiIds } = deps
  const { items } = order
  const expires_at = endOfHold(deps)
  const holder = { order_id: order.id, user_id: order.user_id, expires_at }
  const ids = items.filter(isId).map(({ emoji_id }) => emoji_id as EmojiId)
  const boxes = items.filter(isBox).map(({ lootbox_id }) => lootbox_id)
  const offers = new Map([
    ...(await holdIds(deps, trx, holder, ids)),
    ...(await lootboxSales.holdLootboxes(trx, holder, boxes)),
  ])
  const ofOrder = await carts.findFees(trx, order.organization_id)
  const problems: rules.Problem[] = []
  const priced: OrderItem[] = []
  for (const item of items) {
    const offer = offers.get(item.emoji_id ?? item.lootbox_id ?? '')
    if (!offer) {
      priced.push(item)
      continue
    }
    const { price } = offer
    const fees = feesOn(item, ofOrder)
    const problem = rules.problemOf(item, offer, fees)
    if (problem) problems.push(problem)
    const change = {
      ...(price === null ? {} : pricedAt(price, fees)),
      ...markOf(offer, now()),
      updated_at: now(),
    }
    priced.push(await orders.updateItem(trx, item.id, change))
  }
  if (problems.length > 0) {
    await emojiIds.releaseHolds(trx, order.id)
    await lootboxSales.releaseHolds(trx, order.id)
    return { order, problems }
  }
  const pending = await orders.moveToPending(trx, { ...order, items: priced }, expires_at, method)
  return { order: pending, problems }
}

async function holdIds(
  { emojiIds, catalog }: Deps,
  trx: Transaction,
  holder: { order_id: string; user_id: string; expires_at: Date },
  ids: readonly EmojiId[],
) {
  const { taken, held } = await emojiIds.holdIds(trx, holder, ids)
  const prices = await catalog.findPrices(trx, ids)
  return new Map<string, Offer>(
    ids.map((id) => {
      const price = prices.get(id) ?? null
      const isGone = taken.includes(id) || price === null
      const availability = isGone ? 'Taken' : held.includes(id) ? 'InCart' : 'Available'
      return [id, { availability, price }]
    }),
  )
}
