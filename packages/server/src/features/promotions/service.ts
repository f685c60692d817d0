import { createHmac } from 'node:crypto'
import { type EmojiId, randomFitting, seededDraw } from '@emojid/core'
import { transact } from '../../platform/database/database.ts'
import { undoUnless } from '../../platform/database/savepoint.ts'
import { ServiceError } from '../../platform/errors.ts'
import type { Database, Transaction } from '../../tables.ts'
import type { Principal } from '../access/index.ts'
import { type Carts, feesOn, newItem, pricedAt, readTrackingData } from '../carts/index.ts'
import type { Catalog } from '../catalog/index.ts'
import type { Checkout } from '../checkout/index.ts'
import type { Code, Codes } from '../codes/index.ts'
import type { EmojiIds } from '../emoji-ids/index.ts'
import type { LootboxSales } from '../lootbox-sales/index.ts'
import {
  clientFeeLeftOf,
  type DisplayOrder,
  dueOf,
  isBox,
  isId,
  netPriceOf,
  type Order,
  type OrderItem,
  type Orders,
  snapshotOf,
} from '../orders/index.ts'
import type { Attempt, Payments } from '../payments/index.ts'
import { PaymentUnderWayError, type Settlement } from '../settlement/index.ts'
import * as rules from './rules.ts'
import type { CodeActivation } from './schema.ts'

export type Promotions = ReturnType<typeof createPromotions>

type Options = {
  db: Database
  carts: Carts
  catalog: Catalog
  checkout: Checkout
  codes: Codes
  emojiIds: EmojiIds
  lootboxSales: LootboxSales
  orders: Orders
  payments: Payments
  settlement: Settlement
  now: () => Date
  /** Makes what is drawn unforeseeable. */
  drawKey: Uint8Array
}

const draws = 20
/** Patterns that hardly anything fits take long. */
const drawMs = 100

/** What codes do to carts. */
export function createPromotions(options: Options) {
  const { db, carts, catalog, checkout, codes, emojiIds, orders, payments, now } = options
  const { drawKey, lootboxSales, settlement } = options

  const discountBy = async (
    trx: Transaction,
    order: Order,
    which: { code: string } | { code_id: string },
  ): Promise<void> => {
    const { organization_id } = order
    const items = await orders.itemsOf(trx, order.id)
    const { code, discounts } = await codes.reserve(trx, which, {
      order_id: order.id,
      user_id: order.user_id,
      organization_id,
      items: discountable(items),
    })
    if (discounts.length === 0) throw new rules.NothingToTakeOffError()
    await orders.addDiscounts(trx, order.id, discounts, code)
  }

  /** What was paid at one price is not asked for at another. */
  const assertUnpaid = async (trx: Transaction, order: Order): Promise<void> => {
    const { received } = await orders.sumsOf(trx, order.id)
    if (received > 0 || (await payments.isUnderWay(trx, order))) throw new PaymentUnderWayError()
  }

  /** The cart that waits for its payment, while nothing of it was paid. */
  const loadUnpaid = async (trx: Transaction, { user_id }: Principal): Promise<Order> => {
    const order = await orders.loadCurrent(trx, user_id)
    if (order.status !== 'PendingPayment') throw new rules.NotPendingError()
    await assertUnpaid(trx, order)
    return order
  }

  /** These codes, and no other, take off what they take off now. */
  const discountAnew = async (trx: Transaction, order: Order, wanted: readonly Code[]) => {
    const all = await orders.itemsOf(trx, order.id)
    const before = all.filter(({ code_id }) => code_id !== null).map(({ id }) => id)
    if (before.length > 0) await orders.removeItems(trx, before)
    for (const code of wanted) {
      const items = await orders.itemsOf(trx, order.id)
      const discounts = codes.discountsOf(code, discountable(items))
      if (discounts.length > 0) await orders.addDiscounts(trx, order.id, discounts, code)
    }
  }

  /** Tells `false` when something is not sold any more. */
  const priceAnew = async (trx: Transaction, order: Order, items: readonly OrderItem[]) => {
    const ids = items.filter(isId).map(({ emoji_id }) => emoji_id as EmojiId)
    const boxes = items.filter(isBox).map(({ lootbox_id }) => lootbox_id)
    const prices = new Map<string, number | null>([
      ...(await catalog.pricesOf(trx, ids)),
      ...(await lootboxSales.pricesOf(trx, boxes)),
    ])
    const fees = await carts.feesOf(trx, order.organization_id)
    for (const item of items) {
      const name = item.emoji_id ?? item.lootbox_id
      if (name === null) continue
      const price = prices.get(name) ?? null
      if (price === null) return false
      await orders.updateItem(trx, item.id, pricedAt(price, feesOn(item, fees)))
    }
    return true
  }
  // A buyer could otherwise keep an old invoice, and pay it once the price is another one.
  settlement.whenLate(async (trx, late) => {
    const before = await orders.itemsOf(trx, late.id)
    let isDearer = true
    // Priced as a new order would be, and undone: what it is bought for is what was asked for.
    await undoUnless(trx, async () => {
      if (!(await priceAnew(trx, late, before))) return false
      const used = new Set(before.flatMap(({ code_id }) => code_id ?? []))
      await discountAnew(trx, late, await codes.usableNow(trx, [...used], late))
      isDearer = rules.isDearer(before, await orders.itemsOf(trx, late.id))
      return false
    })
    return isDearer
  })

  /** The current cart if nothing is in it, or a new one in its place. */
  const emptyCart = async (trx: Transaction, user_id: string): Promise<Order> => {
    const current = await orders.loadCurrent(trx, user_id)
    if ((await orders.itemsOf(trx, current.id)).length === 0) return current
    await orders.update(trx, current.id, { is_current: false })
    return orders.create(trx, user_id, { is_current: true })
  }

  /**
   * Ids that fit, by chance, but for the same buyer and code always the same ones until one is
   * bought: nobody draws again and again until they like what they get.
   */
  const drawFor = async (user_id: string, code_id: string): Promise<EmojiId[]> => {
    const code = await codes.find(db, code_id)
    if (code?.code_type !== 'RandomYat') return []
    const use = await codes.countOf(db, code_id, user_id)
    const seed = createHmac('sha256', drawKey).update(`${code_id} ${user_id} ${use}`).digest()
    const draw = seededDraw(seed)
    const endsAt = performance.now() + drawMs
    const drawn = new Set<EmojiId>()
    for (let n = 0; n < draws && performance.now() < endsAt; n++) {
      const id = randomFitting(code.pattern ?? {}, draw)
      if (id !== undefined) drawn.add(id)
    }
    return [...drawn]
  }

  /** The first of them that nobody has or keeps, kept for this order. */
  const holdFirst = async (trx: Transaction, order: Order, drawn: readonly EmojiId[]) => {
    const fees = await carts.feesOf(trx, order.organization_id)
    for (const id of drawn) {
      const price = (await catalog.pricesOf(trx, [id])).get(id) ?? null
      if (price === null) continue
      const offer = { availability: 'Available', price } as const
      const holder = { order_id: order.id, user_id: order.user_id, expires_at: checkout.holdEnd() }
      const { taken, held } = await emojiIds.hold(trx, holder, [id])
      if (taken.length + held.length === 0) return newItem(id, offer, fees, now())
    }
    throw new rules.NothingFitsError()
  }

  /** Has the provider ask for what is due now, as it asked before. */
  const adjust = async (order_id: string, ended?: Attempt): Promise<void> => {
    const present = (await payments.openOf(db, [order_id])).get(order_id)
    const attempt = present ?? ended
    if (!attempt) return
    const due = dueOf(await orders.itemsOf(db, order_id), await orders.sumsOf(db, order_id))
    // A saved card is charged when its owner says so, not because a code changed the price.
    const isOffered = attempt.payment_method === null && payments.isOffered(attempt.method, due)
    const isChanged =
      isOffered && present && (await unlessAway(payments.changeAmount(present, due)))
    const next = await transact(db, async (trx) => {
      const order = await orders.loadToChange(trx, order_id)
      const open = (await payments.openOf(trx, [order_id])).get(order_id)
      if (open?.id !== present?.id || order.status !== 'PendingPayment') return undefined
      const items = await orders.itemsOf(trx, order_id)
      if (isChanged) {
        await payments.noteAmount(trx, attempt.id, due, snapshotOf(order, items))
        return undefined
      }
      const { success_url, cancel_url, method } = attempt
      const urls = success_url && cancel_url ? { success_url, cancel_url } : undefined
      await payments.close(trx, order_id)
      return isOffered ? checkout.payThrough(trx, order, method, urls) : undefined
    })
    if (next) await unlessAway(payments.open(next))
  }

  return {
    /** A code takes something off the price of a cart that waits for its payment. */
    async applyCode(caller: Principal, code: string): Promise<DisplayOrder> {
      await carts.healCurrent(caller)
      const use = async (trx: Transaction) => {
        const order = await orders.loadCurrent(trx, caller.user_id)
        if (order.status !== 'PendingPayment') throw new rules.NotPendingError()
        await discountBy(trx, order, { code })
        return order.id
      }
      const id = await codes.attempt(caller.user_id, () => transact(db, use))
      await adjust(id)
      return orders.show(id)
    },

    /** The price is what it is without the code. */
    async removeCode(caller: Principal, code_id: string): Promise<DisplayOrder> {
      await carts.healCurrent(caller)
      const { id } = await transact(db, async (trx) => {
        const order = await loadUnpaid(trx, caller)
        const used = await codes.ofOrder(trx, order.id)
        if (!used.some((code) => code.id === code_id)) throw new rules.UnknownCodeError()
        return order
      })
      // Whoever pays in this moment pays the price with the code, or not any more.
      const ended = await settlement.endPayment(id)
      const isRemoved = await transact(db, async (trx) => {
        const order = await loadUnpaid(trx, caller)
        if (!(await codes.releaseOne(trx, order.id, code_id))) return false
        await discountAnew(trx, order, await codes.ofOrder(trx, order.id))
        return true
      })
      await adjust(id, ended)
      if (!isRemoved) throw new rules.UnknownCodeError()
      return orders.show(id)
    },

    /** A new current cart with an id by chance, which the code pays for. */
    async useRandomCode(caller: Principal, code_id: string, activation: CodeActivation) {
      const { tracking_data, organization_id = null, ...proof } = activation
      const tracking = readTrackingData(tracking_data)
      const use = async (trx: Transaction, drawn: readonly EmojiId[]) => {
        // The cart first, then the code, as everywhere.
        const cart = await emptyCart(trx, caller.user_id)
        await carts.assertPartner(trx, organization_id)
        await codes.activate(trx, caller, code_id, proof)
        const order = await orders.update(trx, cart.id, {
          organization_id,
          tracking_data: tracking ?? null,
        })
        const item = await holdFirst(trx, order, drawn)
        const bears_client_fee = organization_id !== null
        await orders.insertItems(trx, [{ ...item, order_id: order.id, bears_client_fee }])
        const pending = await orders.toPending(trx, order, checkout.holdEnd(), null)
        await discountBy(trx, pending, { code_id })
        return order.id
      }
      const id = await codes.attempt(caller.user_id, async () => {
        const drawn = await drawFor(caller.user_id, code_id)
        return transact(db, (trx) => use(trx, drawn))
      })
      return orders.show(id)
    },
  }
}

/** Ids, with what other codes left of their price. */
const discountable = (items: readonly OrderItem[]) =>
  items.filter(isId).map((item) => ({
    id: item.id,
    emoji_id: item.emoji_id,
    unit_price_in_cents: netPriceOf(item, items),
    client_fee_in_cents: clientFeeLeftOf(item, items),
  }))

/** The order says what is due; while the provider cannot be asked, the next checkout asks it. */
async function unlessAway<Result>(asking: Promise<Result>): Promise<Result | undefined> {
  try {
    return await asking
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'unavailable') return undefined
    throw error
  }
}
