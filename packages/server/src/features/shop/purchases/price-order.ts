import type { EmojiId } from '@emojid/core'
import { undoUnless } from '../../../platform/database/savepoint.ts'
import type { Transaction } from '../../../tables.ts'
import type { Code } from '../codes/codes.ts'
import {
  clientFeeLeftOf,
  type ItemPrice,
  isBox,
  isId,
  type LoadedOrder,
  netPriceOf,
  type OrderItem,
} from '../orders/orders.ts'
import type { Deps } from './purchases.ts'
import * as rules from './rules.ts'

/**
 * Whether an order costs more now than when its payment was requested, or is no longer for sale.
 * Otherwise a buyer could keep an old invoice and pay it once the price has risen. The order is
 * priced like a new one, with its codes, and rolled back: the buyer pays the requested price.
 */
export async function hasOrderRisen(
  deps: Deps,
  trx: Transaction,
  late: LoadedOrder,
): Promise<boolean> {
  const { codes } = deps
  let isDearer = true
  await undoUnless(trx, async () => {
    const pricedOrder = await priceOrder(deps, trx, late)
    if (!pricedOrder) return false
    const usedCodes = new Set(late.items.flatMap(({ code_id }) => code_id ?? []))
    const usable = await codes.findUsableCodes(trx, [...usedCodes], late)
    const discountedOrder = await replaceCodeDiscounts(deps, trx, pricedOrder, usable)
    isDearer = rules.isDearer(late.items, discountedOrder.items)
    return false
  })
  return isDearer
}

/** Prices an order like a new one; returns undefined if an item is no longer for sale. */
async function priceOrder(
  deps: Deps,
  trx: Transaction,
  order: LoadedOrder,
): Promise<LoadedOrder | undefined> {
  const { catalog, lootboxSales, orders } = deps
  const { items } = order
  const ids = items.filter(isId).map(({ emoji_id }) => emoji_id as EmojiId)
  const boxes = items.filter(isBox).map(({ lootbox_id }) => lootbox_id)
  const prices = new Map<string, number | null>([
    ...(await catalog.findPrices(trx, ids)),
    ...(await lootboxSales.findPrices(trx, boxes)),
  ])
  const fees = await findFees(deps, trx, order.organization_id)
  const changes: ItemPrice[] = []
  for (const item of items) {
    const name = item.emoji_id ?? item.lootbox_id
    if (name === null) continue
    const price = prices.get(name) ?? null
    if (price === null) return undefined
    changes.push({ ...item, ...rules.pricedAt(price, rules.feesOn(item, fees)) })
  }
  const priced = await orders.updateItems(trx, items, changes)
  return { ...order, items: priced }
}

/** Replaces all code discounts of an order by those of these codes. */
export async function replaceCodeDiscounts(
  { orders, codes }: Deps,
  trx: Transaction,
  order: LoadedOrder,
  target: readonly Code[],
): Promise<LoadedOrder> {
  const before = order.items.filter(({ code_id }) => code_id !== null)
  if (before.length > 0) {
    await orders.removeItems(
      trx,
      before.map(({ id }) => id),
    )
  }
  const undiscounted = order.items.filter(({ code_id }) => code_id === null)
  let discountedOrder: LoadedOrder = { ...order, items: undiscounted }
  for (const code of target) {
    const discounts = codes.discountsOf(code, discountable(discountedOrder.items))
    if (discounts.length > 0) {
      discountedOrder = await orders.addDiscounts(trx, discountedOrder, discounts, code)
    }
  }
  return discountedOrder
}

/** The ids with their prices after other codes. */
export const discountable = (items: readonly OrderItem[]) =>
  items.filter(isId).map((item) => ({
    id: item.id,
    emoji_id: item.emoji_id,
    unit_price_in_cents: netPriceOf(item, items),
    client_fee_in_cents: clientFeeLeftOf(item, items),
  }))

export async function findFees(
  { organizations, companyFeePercent }: Deps,
  trx: Transaction,
  organization_id: string | null,
) {
  const partner = organization_id && (await organizations.findOrganization(trx, organization_id))
  return { client: partner ? partner.client_fee_percent : 0, company: companyFeePercent }
}
