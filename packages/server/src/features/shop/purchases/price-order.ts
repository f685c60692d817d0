import type { EmojiId } from '@emojid/core'
import type { Transaction } from '../../../tables.ts'
import type { Code } from '../codes/codes.ts'
import {
  boxesIn,
  clientFeeLeftOf,
  discountItems,
  isId,
  type LoadedOrder,
  netPriceOf,
  type OrderItem,
} from '../orders/orders.ts'
import type { Deps } from './purchases.ts'
import * as rules from './rules.ts'

/**
 * Whether an order costs more now than when its payment was requested, or is no longer for sale.
 * Otherwise a buyer could keep an old invoice and pay it once the price has risen. Nothing is
 * written: the buyer pays the requested price.
 */
export async function hasOrderRisen(
  deps: Deps,
  trx: Transaction,
  late: LoadedOrder,
): Promise<boolean> {
  const { codes, now } = deps
  const priced = await priceOrder(deps, trx, late)
  if (!priced) return true
  const usedCodes = new Set(late.items.flatMap(({ code_id }) => code_id ?? []))
  let discounted = withoutCodes(priced)
  for (const code of await codes.findUsableCodes(trx, [...usedCodes], late)) {
    const discounts = codes.discountsOf(code, discountable(discounted.items))
    const rows = discountItems(discounted, discounts, code, now())
    discounted = { ...discounted, items: [...discounted.items, ...rows.map(rules.unsavedItem)] }
  }
  return rules.isDearer(late.items, discounted.items)
}

/** The order at current prices; undefined if an item is no longer for sale. */
async function priceOrder(
  deps: Deps,
  trx: Transaction,
  order: LoadedOrder,
): Promise<LoadedOrder | undefined> {
  const { catalog, lootboxSales } = deps
  const ids = order.items.filter(isId).map(({ emoji_id }) => emoji_id as EmojiId)
  const prices = new Map<string, number | null>([
    ...(await catalog.findPrices(trx, ids)),
    ...(await lootboxSales.findPrices(trx, boxesIn(order.items))),
  ])
  const fees = await findFees(deps, trx, order.organization_id)
  const items: OrderItem[] = []
  for (const item of order.items) {
    const name = item.emoji_id ?? item.lootbox_id
    const price = name === null ? undefined : (prices.get(name) ?? null)
    if (price === null) return undefined
    const change = price === undefined ? {} : rules.pricedAt(price, rules.feesOn(item, fees))
    items.push({ ...item, ...change })
  }
  return { ...order, items }
}

const withoutCodes = (order: LoadedOrder): LoadedOrder => ({
  ...order,
  items: order.items.filter(({ code_id }) => code_id === null),
})

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
  let discountedOrder = withoutCodes(order)
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
