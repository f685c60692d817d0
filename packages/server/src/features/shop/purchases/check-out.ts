import type { EmojiId } from '@emojid/core'
import { currentNetwork } from '../../../platform/request-id.ts'
import type { Transaction } from '../../../tables.ts'
import type { Offer } from '../../directory/catalog/catalog.ts'
import {
  assertFresh,
  assertScope,
  isAdmin,
  missingScope,
  type Principal,
} from '../../operations/access/access.ts'
import {
  assertNotOwn,
  dueOf,
  type ItemPrice,
  isBox,
  isId,
  isMoneySeen,
  type LoadedOrder,
  openAttemptOf,
  orderCosts,
  type ProviderMethod,
  snapshotOf,
  totalOf,
  unknownOrder,
  withEntries,
} from '../orders/orders.ts'
import { assertOffered, closePayments, preparePayment } from './attempts.ts'
import { changePurchase } from './change-purchase.ts'
import { creditByHand, creditReceived, ItemsGone } from './grant.ts'
import { endOfHold, moveToPending } from './hold-items.ts'
import { openPayment } from './open-attempt.ts'
import * as payments from './payment-rules.ts'
import { findFees } from './price-order.ts'
import type { Deps } from './purchases.ts'
import type { Attempt } from './repository.ts'
import type { CheckoutRequest } from './routes.ts'
import * as rules from './rules.ts'

export async function checkOut(
  deps: Deps,
  caller: Principal,
  id: string | undefined,
  request: CheckoutRequest,
) {
  const { orders, accounts, removals, emojiIds, secondFactorAbove } = deps
  const tracking_data = rules.readTrackingData(request.tracking_data)
  await assertOwnCard(deps, caller, request)
  const { method } = request
  const subject = id ? { id } : { user_id: caller.user_id }
  const outcome = await changePurchase(deps, subject, async (trx, cart, gone) => {
    if (cart.user_id !== caller.user_id && !mayServe(caller)) throw unknownOrder()
    rules.assertPayable(cart)
    orders.work.take(currentNetwork(), cart.items.length * orderCosts.heldItem)
    // Locks the buyer, so that the account cannot be deleted while its checkout begins.
    const buyer = await accounts.findAccountToChange(trx, cart.user_id)
    rules.assertConfirmed(buyer)
    await removals.assertMayOwn(trx, buyer)
    if (cart.user_id !== caller.user_id && method !== 'Cash') {
      throw unknownOrder()
    }
    const pubkey = request.pubkey?.toLowerCase()
    if (pubkey) await emojiIds.assertKeyOfBuyer(trx, cart.user_id, pubkey)
    const change = { ...(pubkey ? { pubkey } : {}), ...(tracking_data ? { tracking_data } : {}) }
    const isDraft = cart.status === 'Draft'
    const { order, problems } = isDraft
      ? await beginCheckout(deps, trx, cart, method, change)
      : { order: await changePending(deps, trx, cart, method, change), problems: [] }
    const order_id = order.id
    if (problems.length > 0) return { order_id, problems, attempt: undefined }
    if (!isDraft && (await creditReceived(deps, trx, order, gone, caller.user_id))) {
      return { order_id, problems, attempt: undefined }
    }
    if (totalOf(order.items) > secondFactorAbove) assertFresh(caller, 'code_or_nothing')
    const attempt = await payOrder(deps, trx, caller, order, request)
    return { order_id, problems, attempt }
  })
  if (outcome.problems.length > 0) throw rules.itemsRefused(outcome.problems)
  if (outcome.attempt) await openPayment(deps, outcome.attempt)
  return orders.showOrder(outcome.order_id)
}

/** Calls the provider, so it runs before any lock is taken. */
async function assertOwnCard(
  { savedCards }: Deps,
  caller: Principal,
  request: CheckoutRequest,
): Promise<void> {
  const { method, payment_method_id } = request
  if (payment_method_id === undefined) return
  if (method !== 'CardCheckout') throw rules.savedCardMethod()
  // An API key for carts must not charge a card.
  assertScope(caller, 'paymentMethod:read')
  await savedCards.findCard(caller.user_id, payment_method_id)
}

const mayServe = (caller: Principal): boolean =>
  isAdmin(caller) && caller.scopes.has('adminCart:update')

type CheckoutChange = { pubkey?: string; tracking_data?: string }

/** Holds all items at current prices; returns the problems of items that cannot be bought. */
async function beginCheckout(
  deps: Deps,
  trx: Transaction,
  order: LoadedOrder,
  method: string,
  change: CheckoutChange,
) {
  const { orders, lootboxSales, now, emojiIds } = deps
  const { items } = order
  const expires_at = endOfHold(deps)
  const holder = { order_id: order.id, user_id: order.user_id, expires_at }
  const ids = items.filter(isId).map(({ emoji_id }) => emoji_id as EmojiId)
  const boxes = items.filter(isBox).map(({ lootbox_id }) => lootbox_id)
  const offers = new Map([
    ...(await holdIds(deps, trx, holder, ids)),
    ...(await lootboxSales.holdLootboxes(trx, holder, boxes)),
  ])
  const ofOrder = await findFees(deps, trx, order.organization_id)
  const problems: rules.Problem[] = []
  const changes: ItemPrice[] = []
  for (const item of items) {
    const offer = offers.get(item.emoji_id ?? item.lootbox_id ?? '')
    if (!offer) continue
    const { price } = offer
    const fees = rules.feesOn(item, ofOrder)
    const problem = rules.problemOf(item, offer, fees)
    if (problem) problems.push(problem)
    const priced = price === null ? item : { ...item, ...rules.pricedAt(price, fees) }
    changes.push({ ...priced, ...rules.markOf(offer, now()) })
  }
  const priced = await orders.updateItems(trx, items, changes)
  if (problems.length > 0) {
    await emojiIds.releaseHolds(trx, order.id)
    await lootboxSales.releaseHolds(trx, order.id)
    await orders.updateOrder(trx, order, change)
    return { order, problems }
  }
  const cart = { ...order, items: priced }
  const pending = await moveToPending(deps, trx, cart, expires_at, method, change)
  return { order: pending, problems }
}

/** A checkout continues, perhaps with another method. */
async function changePending(
  { orders }: Deps,
  trx: Transaction,
  order: LoadedOrder,
  method: string,
  change: CheckoutChange,
): Promise<LoadedOrder> {
  const paidBy = payments.isProviderMethod(method) ? { method } : {}
  return { ...order, ...(await orders.updateOrder(trx, order, { ...change, ...paidBy })) }
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

async function payOrder(
  deps: Deps,
  trx: Transaction,
  caller: Principal,
  order: LoadedOrder,
  request: CheckoutRequest,
): Promise<Attempt | undefined> {
  const { method } = request
  if (method === 'Free') await payFree(deps, trx, caller, order)
  else if (method === 'Cash') await payCash(deps, trx, caller, order, request)
  else {
    const urls = method === 'CardCheckout' ? rules.readUrls(request) : undefined
    return payThroughProvider(deps, trx, order, method, urls, request.payment_method_id ?? null)
  }
  return undefined
}

/** A promo code covers it, or the buyer's allowance of free ids. */
async function payFree(deps: Deps, trx: Transaction, caller: Principal, order: LoadedOrder) {
  const { orders, freeCeiling, accounts } = deps
  let discountedOrder = order
  if (dueOf(order) > 0) {
    const free = rules.freeItems(order.items, freeCeiling)
    if (!free || !(await accounts.takeFreeIds(trx, order.user_id, free.length))) {
      throw rules.missingPayment()
    }
    const discounts = free.map(({ item, cents }) => ({ item_id: item.id, cents }))
    discountedOrder = await orders.addDiscounts(trx, order, discounts, null)
  }
  await creditByHand(deps, trx, discountedOrder, caller.user_id).catch(refuseGone(order))
}

/** The error rolls the checkout back. */
const refuseGone = (order: LoadedOrder) => (error: unknown) => {
  throw error instanceof ItemsGone ? rules.allTaken(order.items) : error
}

async function payCash(
  deps: Deps,
  trx: Transaction,
  caller: Principal,
  order: LoadedOrder,
  { amount, external_reference, reason }: CheckoutRequest,
) {
  const { cashFourEyes, ledger, audit } = deps
  if (!mayServe(caller)) throw missingScope(['adminCart:update'])
  assertFresh(caller, 'code_or_nothing')
  if (cashFourEyes) assertNotOwn(caller, order)
  if (amount === undefined || external_reference === undefined) throw rules.cashDetails()
  rules.assertCashAmount(amount, dueOf(order))
  const reference = rules.cashReference(external_reference)
  if (await ledger.isCashBooked(trx, reference)) throw rules.cashTaken()
  const entry = await ledger.bookEntry(trx, {
    order_id: order.id,
    attempt_id: null,
    kind: 'cash',
    amount_in_cents: amount,
    provider: 'cash',
    reference,
    reason: reason ?? external_reference,
    actor_id: caller.user_id,
  })
  if (!entry) throw rules.cashTaken()
  const details = {
    order_id: order.id,
    amount_in_cents: amount,
    external_reference,
    reason: reason ?? external_reference,
  }
  const auditEntry = { actor_id: caller.user_id, subject_id: order.user_id, details }
  await audit.writeEntry(trx, 'order.cash_taken', auditEntry)
  const paid = withEntries(order, [entry])
  await creditByHand(deps, trx, paid, caller.user_id).catch(refuseGone(order))
}

/** Returns the open attempt if it still fits, else prepares a new one. */
export async function payThroughProvider(
  deps: Deps,
  trx: Transaction,
  order: LoadedOrder,
  method: ProviderMethod,
  urls: ReturnType<typeof rules.readUrls>,
  payment_method: string | null = null,
): Promise<Attempt> {
  const due = dueOf(order)
  if (due === 0) throw rules.nothingDue()
  assertOffered(deps, method, due)
  const open = openAttemptOf(order)
  const isSame =
    open?.method === method &&
    open.amount_in_cents === due &&
    open.payment_method === payment_method &&
    open.success_url === (urls?.success_url ?? null) &&
    open.cancel_url === (urls?.cancel_url ?? null)
  if (open && isSame) return open
  // A buyer can leave a card page, but a saved card is charged immediately.
  if (payment_method !== null && isMoneySeen(order)) {
    throw payments.pendingPayment()
  }
  await closePayments(deps, trx, order)
  return preparePayment(deps, trx, {
    order_id: order.id,
    user_id: order.user_id,
    round: order.round,
    method,
    urls,
    amount_in_cents: due,
    snapshot: snapshotOf(order),
    payment_method,
    expires_at: order.expires_at ?? endOfHold(deps),
  })
}
