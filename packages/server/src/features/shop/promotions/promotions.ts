import { createHmac } from 'node:crypto'
import { type EmojiId, randomFitting, seededDraw } from '@emojid/core'
import { bindTo, bindUseCases } from '../../../platform/bind.ts'
import { transact } from '../../../platform/database/database.ts'
import { undoUnless } from '../../../platform/database/savepoint.ts'
import { ServiceError } from '../../../platform/errors.ts'
import type { Database, Transaction } from '../../../tables.ts'
import type { Catalog } from '../../directory/catalog/catalog.ts'
import type { EmojiIds } from '../../directory/emoji-ids/emoji-ids.ts'
import type { Principal } from '../../operations/access/index.ts'
import { type Carts, feesOn, newItem, pricedAt, readTrackingData } from '../carts/carts.ts'
import type { Checkout } from '../checkout/checkout.ts'
import type { Code, Codes } from '../codes/codes.ts'
import {
  type BoxSales,
  clientFeeLeftOf,
  type DisplayOrder,
  dueOf,
  isBox,
  isId,
  type LoadedOrder,
  netPriceOf,
  type Order,
  type OrderItem,
  type Orders,
  snapshotOf,
} from '../orders/orders.ts'
import type { Attempt, Payments } from '../payments/payments.ts'
import { pendingPayment, type Settlement } from '../settlement/settlement.ts'
import type { CodeActivation } from './routes.ts'
import * as rules from './rules.ts'

export type Deps = {
  db: Database
  carts: Carts
  catalog: Catalog
  checkout: Checkout
  codes: Codes
  emojiIds: EmojiIds
  lootboxSales: BoxSales
  orders: Orders
  payments: Payments
  settlement: Settlement
  now: () => Date
  /** Keeps draws unpredictable. */
  drawKey: Uint8Array
}

export type Promotions = ReturnType<typeof createPromotions>

/** Promo codes on carts. */
export function createPromotions(deps: Deps) {
  const bind = bindTo(deps)
  const { settlement } = deps
  settlement.addPriceCheck(bind(hasOrderRisen))

  return bindUseCases(deps, { applyCode, removeCode, useRandomCode })
}

/** The cart has to wait for its payment. */
async function applyCode(
  deps: Deps,
  caller: Principal,
  code: string,
  network: string,
): Promise<DisplayOrder> {
  const { carts, orders, codes, db, settlement } = deps
  await carts.lapseCurrentIfExpired(caller)
  const use = async (trx: Transaction) => {
    const order = await orders.loadCurrentCart(trx, caller.user_id)
    if (order.status !== 'PendingPayment') throw rules.onlyPending()
    const cheaper = await discountByCode(deps, trx, order, { code })
    await settlement.creditReceived(trx, cheaper, caller.user_id)
    return order.id
  }
  const id = await codes.countAttempt({ user_id: caller.user_id, network }, () => transact(db, use))
  await adjustPayment(deps, id)
  return orders.showOrder(id)
}

async function discountByCode(
  { orders, codes }: Deps,
  trx: Transaction,
  order: LoadedOrder,
  selector: { code: string } | { code_id: string },
): Promise<LoadedOrder> {
  const { code, discounts } = await codes.reserveCode(trx, selector, {
    order_id: order.id,
    user_id: order.user_id,
    organization_id: order.organization_id,
    items: discountable(order.items),
  })
  if (discounts.length === 0) throw rules.nothingToTakeOff()
  return orders.addDiscounts(trx, order, discounts, code)
}

/** The ids with their prices after other codes. */
const discountable = (items: readonly OrderItem[]) =>
  items.filter(isId).map((item) => ({
    id: item.id,
    emoji_id: item.emoji_id,
    unit_price_in_cents: netPriceOf(item, items),
    client_fee_in_cents: clientFeeLeftOf(item, items),
  }))

/** Changes the open payment to the amount due. */
async function adjustPayment(
  { payments, db, orders, checkout }: Deps,
  order_id: string,
  ended?: Attempt,
): Promise<void> {
  const present = (await payments.findOpenPayments(db, [order_id])).get(order_id)
  const attempt = present ?? ended
  if (!attempt) return
  const due = dueOf(await orders.loadItems(db, order_id), await orders.loadSums(db, order_id))
  // Only the owner may charge a saved card, never a price change.
  const isOffered = attempt.payment_method === null && payments.isOffered(attempt.method, due)
  const isChanged =
    isOffered && present && (await ignoreUnavailable(payments.changeAmount(present, due)))
  const next = await transact(db, async (trx) => {
    const order = await orders.loadOrderToChange(trx, order_id)
    const open = (await payments.findOpenPayments(trx, [order_id])).get(order_id)
    if (open?.id !== present?.id || order.status !== 'PendingPayment') return undefined
    if (isChanged) {
      await payments.recordAmount(trx, attempt.id, due, snapshotOf(order))
      return undefined
    }
    const { success_url, cancel_url, method } = attempt
    const urls = success_url && cancel_url ? { success_url, cancel_url } : undefined
    await payments.closePayments(trx, order_id)
    return isOffered ? checkout.payThroughProvider(trx, order, method, urls) : undefined
  })
  if (next) await ignoreUnavailable(payments.openPayment(next))
}

/**
 * Ignores an unreachable provider: the order stores the amount due, and the next checkout calls the
 * provider again.
 */
async function ignoreUnavailable<Result>(
  askingResult: Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await askingResult
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'unavailable') return undefined
    throw error
  }
}

async function removeCode(deps: Deps, caller: Principal, code_id: string): Promise<DisplayOrder> {
  const { carts, db, codes, settlement, orders } = deps
  await carts.lapseCurrentIfExpired(caller)
  const { id } = await transact(db, async (trx) => {
    const order = await loadUnpaid(deps, trx, caller)
    const usedCodes = await codes.findCodesOnOrder(trx, order.id)
    if (!usedCodes.some((code) => code.id === code_id)) throw rules.unknownCode()
    return order
  })
  // A payment that arrives at this moment either counts at the price with the code or is ended.
  const endedAttempt = await settlement.endPaymentAtProvider(id)
  const isRemoved = await transact(db, async (trx) => {
    const order = await loadUnpaid(deps, trx, caller)
    if (!(await codes.releaseCode(trx, order.id, code_id))) return false
    await replaceCodeDiscounts(deps, trx, order, await codes.findCodesOnOrder(trx, order.id))
    return true
  })
  await adjustPayment(deps, id, endedAttempt)
  if (!isRemoved) throw rules.unknownCode()
  return orders.showOrder(id)
}

/** Locks the cart, which has to wait for its payment with nothing paid yet. */
async function loadUnpaid(deps: Deps, trx: Transaction, { user_id }: Principal) {
  const { orders } = deps
  const order = await orders.loadCurrentCart(trx, user_id)
  if (order.status !== 'PendingPayment') throw rules.onlyPending()
  await assertUnpaid(deps, trx, order)
  return order
}

/** The price is fixed once money arrived or is pending. */
async function assertUnpaid(
  { orders, payments }: Deps,
  trx: Transaction,
  order: Order,
): Promise<void> {
  const { received } = await orders.loadSums(trx, order.id)
  if (received > 0 || (await payments.isUnderWay(trx, order))) throw pendingPayment()
}

/** Replaces all code discounts of an order by those of these codes. */
async function replaceCodeDiscounts(
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

/** Creates a new current cart with a random id that the code pays for. */
async function useRandomCode(
  deps: Deps,
  caller: Principal,
  code_id: string,
  activation: CodeActivation,
  network: string,
) {
  const { carts, codes, orders, checkout, db } = deps
  const { tracking_data, organization_id = null, ...proof } = activation
  const tracking = readTrackingData(tracking_data)
  const use = async (trx: Transaction, drawnIds: readonly EmojiId[]) => {
    // Lock order: the cart, then the code.
    const cart = await emptyCart(deps, trx, caller.user_id)
    await carts.assertPartner(trx, organization_id)
    await codes.activateCode(trx, caller, code_id, proof)
    const order = await orders.updateOrder(trx, cart.id, {
      organization_id,
      tracking_data: tracking ?? null,
    })
    const item = await holdFirstUnowned(deps, trx, order, drawnIds)
    const bears_client_fee = organization_id !== null
    const orderItem = { ...item, order_id: order.id, bears_client_fee }
    const items = await orders.insertItems(trx, [orderItem])
    const pending = await orders.moveToPending(trx, { ...order, items }, checkout.endOfHold(), null)
    await discountByCode(deps, trx, pending, { code_id })
    return order.id
  }
  const { user_id } = caller
  const id = await codes.countAttempt({ user_id, network }, async () => {
    const drawnIds = await drawIdFor(deps, user_id, code_id)
    return transact(db, (trx) => use(trx, drawnIds))
  })
  return orders.showOrder(id)
}

async function emptyCart({ orders }: Deps, trx: Transaction, user_id: string): Promise<Order> {
  const current = await orders.loadCurrentCart(trx, user_id)
  if (current.items.length === 0) return current
  await orders.updateOrder(trx, current.id, { is_current: false })
  return orders.createCart(trx, user_id, { is_current: true })
}

/**
 * Holds the first id that is not sold. An id in a checkout is not skipped: a buyer could hold it from
 * another account, and so choose among the draws.
 */
async function holdFirstUnowned(
  { carts, catalog, checkout, emojiIds, now }: Deps,
  trx: Transaction,
  order: Order,
  drawnIds: readonly EmojiId[],
) {
  const fees = await carts.findFees(trx, order.organization_id)
  for (const id of drawnIds) {
    const price = (await catalog.findPrices(trx, [id])).get(id) ?? null
    if (price === null) continue
    const offer = { availability: 'Available', price } as const
    const holder = { order_id: order.id, user_id: order.user_id, expires_at: checkout.endOfHold() }
    const { taken, held } = await emojiIds.holdIds(trx, holder, [id])
    if (held.length > 0) throw rules.heldDraw()
    if (taken.length === 0) return newItem(id, offer, fees, now())
  }
  throw rules.nothingFits()
}

/** Time limit for patterns that hardly any id matches. */
const drawMs = 100

const draws = 20

/**
 * Random matching ids. A buyer gets the same ids for a code in the same order until the buyer gets one
 * with the code, and so cannot draw repeatedly.
 */
async function drawIdFor(
  { codes, db, drawKey }: Deps,
  user_id: string,
  code_id: string,
): Promise<EmojiId[]> {
  const code = await codes.findCode(db, code_id)
  if (code?.code_type !== 'RandomYat') return []
  const use = await codes.countUses(db, code_id, user_id)
  const seed = createHmac('sha256', drawKey).update(`${code_id} ${user_id} ${use}`).digest()
  const draw = seededDraw(seed)
  const endsAt = performance.now() + drawMs
  const drawnIds = new Set<EmojiId>()
  for (let n = 0; n < draws && performance.now() < endsAt; n++) {
    const id = randomFitting(code.pattern ?? {}, draw)
    if (id !== undefined) drawnIds.add(id)
  }
  return [...drawnIds]
}

/**
 * Whether an order costs more now than when its payment was requested, or is no longer for sale.
 * Otherwise a buyer could keep an old invoice and pay it once the price has risen. The order is
 * priced like a new one, with its codes, and rolled back: the buyer pays the requested price.
 */
async function hasOrderRisen(deps: Deps, trx: Transaction, late: LoadedOrder): Promise<boolean> {
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
  { catalog, lootboxSales, carts, orders }: Deps,
  trx: Transaction,
  order: LoadedOrder,
): Promise<LoadedOrder | undefined> {
  const { items } = order
  const ids = items.filter(isId).map(({ emoji_id }) => emoji_id as EmojiId)
  const boxes = items.filter(isBox).map(({ lootbox_id }) => lootbox_id)
  const prices = new Map<string, number | null>([
    ...(await catalog.findPrices(trx, ids)),
    ...(await lootboxSales.findPrices(trx, boxes)),
  ])
  const fees = await carts.findFees(trx, order.organization_id)
  const priced: OrderItem[] = []
  for (const item of items) {
    const name = item.emoji_id ?? item.lootbox_id
    if (name === null) {
      priced.push(item)
      continue
    }
    const price = prices.get(name) ?? null
    if (price === null) return undefined
    priced.push(await orders.updateItem(trx, item.id, pricedAt(price, feesOn(item, fees))))
  }
  return { ...order, items: priced }
}
