import type { Transaction } from '../../../tables.ts'
import {
  assertFresh,
  assertScope,
  isAdmin,
  missingScope,
  type Principal,
} from '../../operations/access/index.ts'
import { assertNotOwn, dueOf, type LoadedOrder, snapshotOf } from '../orders/orders.ts'
import type { Attempt, ProviderMethod } from '../payments/payments.ts'
import { pendingPayment } from '../settlement/settlement.ts'
import { endOfHold } from './begin-checkout.ts'
import type { Deps } from './deps.ts'
import * as rules from './rules.ts'
import type { CheckoutRequest } from './schema.ts'

/** Returns the open attempt if it still fits, else prepares a new one. */
export async function payThroughProvider(
  deps: Deps,
  trx: Transaction,
  order: LoadedOrder,
  method: ProviderMethod,
  urls: ReturnType<typeof rules.readUrls>,
  payment_method: string | null = null,
): Promise<Attempt> {
  const { orders, payments } = deps
  const due = dueOf(order.items, await orders.loadSums(trx, order.id))
  if (due === 0) throw rules.nothingDue()
  payments.assertOffered(method, due)
  const open = (await payments.findOpenPayments(trx, [order.id])).get(order.id)
  const isSame =
    open?.method === method &&
    open.amount_in_cents === due &&
    open.payment_method === payment_method &&
    open.success_url === (urls?.success_url ?? null) &&
    open.cancel_url === (urls?.cancel_url ?? null)
  if (open && isSame) return open
  // A buyer can leave a card page, but a saved card is charged immediately.
  if (payment_method !== null && (await payments.isUnderWay(trx, order))) {
    throw pendingPayment()
  }
  await payments.closePayments(trx, order.id)
  await orders.updateOrder(trx, order.id, { method })
  return payments.preparePayment(trx, {
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

/** Calls the provider, so it runs before any lock is taken. */
export async function assertOwnCard(
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

export async function payOrder(
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
async function payFree(
  { orders, freeCeiling, accounts, settlement }: Deps,
  trx: Transaction,
  caller: Principal,
  order: LoadedOrder,
) {
  let discountedOrder = order
  if (dueOf(order.items, await orders.loadSums(trx, order.id)) > 0) {
    const free = rules.freeItems(order.items, freeCeiling)
    if (!free || !(await accounts.takeFreeIds(trx, order.user_id, free.length))) {
      throw rules.missingPayment()
    }
    const discounts = free.map(({ item, cents }) => ({ item_id: item.id, cents }))
    discountedOrder = await orders.addDiscounts(trx, order, discounts, null)
  }
  if (!(await settlement.creditByHand(trx, discountedOrder, caller.user_id))) {
    throw rules.allTaken(order.items)
  }
}

async function payCash(
  { cashFourEyes, orders, ledger, audit, settlement }: Deps,
  trx: Transaction,
  caller: Principal,
  order: LoadedOrder,
  { amount, external_reference, reason }: CheckoutRequest,
) {
  if (!mayServe(caller)) throw missingScope(['adminCart:update'])
  assertFresh(caller, 'code_or_nothing')
  if (cashFourEyes) assertNotOwn(caller, order)
  if (amount === undefined || external_reference === undefined) throw rules.cashDetails()
  rules.assertCashAmount(amount, dueOf(order.items, await orders.loadSums(trx, order.id)))
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
  if (!(await settlement.creditByHand(trx, order, caller.user_id))) {
    throw rules.allTaken(order.items)
  }
}

export const mayServe = (caller: Principal): boolean =>
  isAdmin(caller) && caller.scopes.has('adminCart:update')
