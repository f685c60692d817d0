import type { EmojiId } from '@emojid/core'
import { transact } from '../../platform/database/database.ts'
import type { Database, Transaction } from '../../tables.ts'
import {
  assertFresh,
  assertScope,
  isAdmin,
  MissingScopeError,
  type Principal,
} from '../access/index.ts'
import type { Accounts } from '../accounts/index.ts'
import type { Audit } from '../audit/index.ts'
import type { Carts } from '../carts/index.ts'
import * as cart from '../carts/index.ts'
import type { Catalog, Offer } from '../catalog/index.ts'
import type { EmojiIds } from '../emoji-ids/index.ts'
import type { Ledger } from '../ledger/index.ts'
import type { LootboxSales } from '../lootbox-sales/index.ts'
import {
  assertNotOwn,
  dueOf,
  isBox,
  isId,
  type Order,
  type Orders,
  snapshotOf,
  totalOf,
  UnknownOrderError,
} from '../orders/index.ts'
import type { Attempt, Payments, ProviderMethod } from '../payments/index.ts'
import type { SavedCards } from '../saved-cards/index.ts'
import { PaymentUnderWayError, type Settlement } from '../settlement/index.ts'
import * as rules from './rules.ts'
import type { CheckoutRequest } from './schema.ts'

export type Checkout = ReturnType<typeof createCheckout>

type Options = {
  db: Database
  accounts: Accounts
  audit: Audit
  carts: Carts
  catalog: Catalog
  emojiIds: EmojiIds
  ledger: Ledger
  lootboxSales: LootboxSales
  orders: Orders
  payments: Payments
  savedCards: SavedCards
  settlement: Settlement
  now: () => Date
  holdMs: number
  freeCeiling: number
  /** Above this many cents a checkout asks for a fresh code of those who have a second factor. */
  secondFactorAbove: number
  /** Operators take no cash for their own orders. */
  cashFourEyes: boolean
}

/** From a cart to money: holds and ways to pay. */
export function createCheckout(options: Options) {
  const { db, accounts, audit, carts, catalog, emojiIds, ledger, lootboxSales } = options
  const { orders, payments, settlement, now, holdMs, freeCeiling, secondFactorAbove } = options
  const { cashFourEyes, savedCards } = options
  const holdEnd = () => new Date(now().getTime() + holdMs)

  /** The order and its items, locked, as this caller may check it out. */
  const load = async (trx: Transaction, caller: Principal, id: string | undefined) => {
    const order = id
      ? await orders.loadToChange(trx, id)
      : await orders.loadCurrent(trx, caller.user_id)
    if (order.user_id !== caller.user_id && !mayServe(caller)) throw new UnknownOrderError()
    return order
  }

  /** What ids are kept for an order, and for how much. */
  const holdIds = async (
    trx: Transaction,
    holder: { order_id: string; user_id: string; expires_at: Date },
    ids: readonly EmojiId[],
  ) => {
    const { taken, held } = await emojiIds.hold(trx, holder, ids)
    const prices = await catalog.pricesOf(trx, ids)
    return new Map<string, Offer>(
      ids.map((id) => {
        const price = prices.get(id) ?? null
        const isGone = taken.includes(id) || price === null
        const availability = isGone ? 'Taken' : held.includes(id) ? 'InCart' : 'Available'
        return [id, { availability, price }]
      }),
    )
  }

  /** Holds everything at the price of the moment; answers what stands against it. */
  const begin = async (trx: Transaction, order: Order, method: string | null) => {
    const items = await orders.itemsOf(trx, order.id)
    const expires_at = holdEnd()
    const holder = { order_id: order.id, user_id: order.user_id, expires_at }
    const ids = items.filter(isId).map(({ emoji_id }) => emoji_id as EmojiId)
    const boxes = items.filter(isBox).map(({ lootbox_id }) => lootbox_id)
    const offers = new Map([
      ...(await holdIds(trx, holder, ids)),
      ...(await lootboxSales.hold(trx, holder, boxes)),
    ])
    const ofOrder = await carts.feesOf(trx, order.organization_id)
    const problems: rules.Problem[] = []
    for (const item of items) {
      const offer = offers.get(item.emoji_id ?? item.lootbox_id ?? '')
      if (!offer) continue
      const { price } = offer
      const fees = cart.feesOn(item, ofOrder)
      const problem = rules.problemOf(item, offer, fees)
      if (problem) problems.push(problem)
      await orders.updateItem(trx, item.id, {
        ...(price === null ? {} : cart.pricedAt(price, fees)),
        ...cart.markOf(offer, now()),
        updated_at: now(),
      })
    }
    if (problems.length > 0) {
      await emojiIds.unhold(trx, order.id)
      await lootboxSales.unhold(trx, order.id)
      return { order, problems }
    }
    return { order: await orders.toPending(trx, order, expires_at, method), problems }
  }

  /** For nothing: because a code pays for it, or the buyer's allowance of free ids. */
  const payNothing = async (trx: Transaction, caller: Principal, order: Order) => {
    const items = await orders.itemsOf(trx, order.id)
    if (dueOf(items, await orders.sumsOf(trx, order.id)) > 0) {
      const free = rules.freeItems(items, freeCeiling)
      if (!free || !(await accounts.useFree(trx, order.user_id, free.length))) {
        throw new rules.PaymentNeededError()
      }
      const discounts = free.map(({ item, cents }) => ({ item_id: item.id, cents }))
      await orders.addDiscounts(trx, order.id, discounts, null)
    }
    if (!(await settlement.creditByHand(trx, order, caller.user_id))) throw rules.allTaken(items)
  }

  const payCash = async (
    trx: Transaction,
    caller: Principal,
    order: Order,
    { amount, external_reference, reason }: CheckoutRequest,
  ) => {
    if (!mayServe(caller)) throw new MissingScopeError(['adminCart:update'])
    assertFresh(caller, true)
    if (cashFourEyes) assertNotOwn(caller, order)
    if (amount === undefined || external_reference === undefined) throw new rules.CashDetailsError()
    const items = await orders.itemsOf(trx, order.id)
    rules.assertCashAmount(amount, dueOf(items, await orders.sumsOf(trx, order.id)))
    const entry = await ledger.book(trx, {
      order_id: order.id,
      attempt_id: null,
      kind: 'cash',
      amount_in_cents: amount,
      provider: 'cash',
      reference: external_reference,
      reason: reason ?? external_reference,
      actor_id: caller.user_id,
    })
    if (!entry) throw new rules.CashTakenError()
    const details = {
      order_id: order.id,
      amount_in_cents: amount,
      external_reference,
      reason: reason ?? external_reference,
    }
    const noted = { actor_id: caller.user_id, subject_id: order.user_id, details }
    await audit.note(trx, 'order.cash_taken', noted)
    if (!(await settlement.creditByHand(trx, order, caller.user_id))) {
      throw rules.allTaken(items)
    }
  }

  /** What the buyer is to pay through a provider: the attempt under way, or one in its place. */
  const payThrough = async (
    trx: Transaction,
    order: Order,
    method: ProviderMethod,
    urls: ReturnType<typeof rules.readUrls>,
    payment_method: string | null = null,
  ): Promise<Attempt> => {
    const items = await orders.itemsOf(trx, order.id)
    const due = dueOf(items, await orders.sumsOf(trx, order.id))
    if (due === 0) throw new rules.NothingDueError()
    payments.assertOffered(method, due)
    const open = (await payments.openOf(trx, [order.id])).get(order.id)
    const isSame =
      open?.method === method &&
      open.amount_in_cents === due &&
      open.payment_method === payment_method &&
      open.success_url === (urls?.success_url ?? null) &&
      open.cancel_url === (urls?.cancel_url ?? null)
    if (open && isSame) return open
    // A card page can be left; a saved card is charged at once.
    if (payment_method !== null && (await payments.isUnderWay(trx, order))) {
      throw new PaymentUnderWayError()
    }
    await payments.close(trx, order.id)
    await orders.update(trx, order.id, { method })
    return payments.prepare(trx, {
      order_id: order.id,
      user_id: order.user_id,
      round: order.round,
      method,
      urls,
      amount_in_cents: due,
      snapshot: snapshotOf(order, items),
      payment_method,
      expires_at: order.expires_at ?? holdEnd(),
    })
  }

  /** The provider is asked before anything is locked. */
  const assertOwnCard = async (caller: Principal, request: CheckoutRequest): Promise<void> => {
    const { method, payment_method_id } = request
    if (payment_method_id === undefined) return
    if (method !== 'CardCheckout') throw new rules.SavedCardMethodError()
    // Keys that were made to fill carts charge no cards.
    assertScope(caller, 'paymentMethod:read')
    await savedCards.find(caller.user_id, payment_method_id)
  }

  const pay = async (
    trx: Transaction,
    caller: Principal,
    order: Order,
    request: CheckoutRequest,
  ): Promise<Attempt | undefined> => {
    const { method } = request
    if (method === 'Free') await payNothing(trx, caller, order)
    else if (method === 'Cash') await payCash(trx, caller, order, request)
    else {
      const urls = method === 'CardCheckout' ? rules.readUrls(request) : undefined
      return payThrough(trx, order, method, urls, request.payment_method_id ?? null)
    }
    return undefined
  }

  return {
    payThrough,
    /** Until when a checkout that begins now keeps its ids. */
    holdEnd,

    async checkout(caller: Principal, id: string | undefined, request: CheckoutRequest) {
      await carts.heal(id ? await orders.find(id) : await orders.findCurrent(caller.user_id))
      const tracking_data = cart.readTrackingData(request.tracking_data)
      await assertOwnCard(caller, request)
      const outcome = await transact(db, async (trx) => {
        const found = await load(trx, caller, id)
        const items = await orders.itemsOf(trx, found.id)
        rules.assertPayable(found, items)
        // Locked: nobody deletes an account whose checkout begins.
        rules.assertConfirmed(await accounts.findToChange(trx, found.user_id))
        if (found.user_id !== caller.user_id && request.method !== 'Cash') {
          throw new UnknownOrderError()
        }
        const pubkey = request.pubkey?.toLowerCase()
        if (pubkey) await emojiIds.assertKeyOfBuyer(trx, found.user_id, pubkey)
        const kept = await orders.update(trx, found.id, {
          ...(pubkey ? { pubkey } : {}),
          ...(tracking_data ? { tracking_data } : {}),
        })
        const begun =
          kept.status === 'Draft'
            ? await begin(trx, kept, request.method)
            : { order: kept, problems: [] }
        const { order, problems } = begun
        if (problems.length > 0) return { order_id: order.id, problems, attempt: undefined }
        const total = totalOf(await orders.itemsOf(trx, order.id))
        if (total > secondFactorAbove) assertFresh(caller, true)
        const attempt = await pay(trx, caller, order, request)
        return { order_id: order.id, problems, attempt }
      })
      if (outcome.problems.length > 0) throw new rules.ItemsRefusedError(outcome.problems)
      if (outcome.attempt) await payments.open(outcome.attempt)
      return orders.show(outcome.order_id)
    },
  }
}

const mayServe = (caller: Principal): boolean =>
  isAdmin(caller) && caller.scopes.has('adminCart:update')
