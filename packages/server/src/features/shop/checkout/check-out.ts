import { transact } from '../../../platform/database/database.ts'
import { currentNetwork } from '../../../platform/request-id.ts'
import type { Transaction } from '../../../tables.ts'
import { assertFresh, type Principal } from '../../operations/access/index.ts'
import { readTrackingData } from '../carts/carts.ts'
import { orderCosts, totalOf, unknownOrder } from '../orders/orders.ts'
import { beginCheckout } from './begin-checkout.ts'
import type { Deps } from './deps.ts'
import { assertOwnCard, mayServe, payOrder } from './pay-order.ts'
import * as rules from './rules.ts'
import type { CheckoutRequest } from './schema.ts'

export async function checkOut(
  deps: Deps,
  caller: Principal,
  id: string | undefined,
  request: CheckoutRequest,
) {
  const { carts, orders, db, accounts, removals, emojiIds, secondFactorAbove, payments } = deps
  const { settlement } = deps
  await carts.lapseIfExpired(
    id ? await orders.findOrder(id) : await orders.findCurrentCart(caller.user_id),
  )
  const tracking_data = readTrackingData(request.tracking_data)
  await assertOwnCard(deps, caller, request)
  const outcome = await transact(db, async (trx) => {
    const cartOrder = await loadOrder(deps, trx, caller, id)
    rules.assertPayable(cartOrder)
    orders.limits.work.take(currentNetwork(), cartOrder.items.length * orderCosts.heldItem)
    // Locks the buyer, so that the account cannot be deleted while its checkout begins.
    const buyer = await accounts.findAccountToChange(trx, cartOrder.user_id)
    rules.assertConfirmed(buyer)
    await removals.assertMayOwn(trx, buyer)
    if (cartOrder.user_id !== caller.user_id && request.method !== 'Cash') {
      throw unknownOrder()
    }
    const pubkey = request.pubkey?.toLowerCase()
    if (pubkey) await emojiIds.assertKeyOfBuyer(trx, cartOrder.user_id, pubkey)
    const updated = await orders.updateOrder(trx, cartOrder.id, {
      ...(pubkey ? { pubkey } : {}),
      ...(tracking_data ? { tracking_data } : {}),
    })
    const cart = { ...updated, items: cartOrder.items }
    const { order, problems } =
      cart.status === 'Draft'
        ? await beginCheckout(deps, trx, cart, request.method)
        : { order: cart, problems: [] }
    if (problems.length > 0) return { order_id: order.id, problems, attempt: undefined }
    const wasPending = cart.status === 'PendingPayment'
    if (wasPending && (await settlement.creditReceived(trx, order, caller.user_id))) {
      return { order_id: order.id, problems, attempt: undefined }
    }
    const total = totalOf(order.items)
    if (total > secondFactorAbove) assertFresh(caller, 'code_or_nothing')
    const attempt = await payOrder(deps, trx, caller, order, request)
    return { order_id: order.id, problems, attempt }
  })
  if (outcome.problems.length > 0) throw rules.itemsRefused(outcome.problems)
  if (outcome.attempt) await payments.openPayment(outcome.attempt)
  return orders.showOrder(outcome.order_id)
}

/** Locks the order, if this caller may check it out. */
async function loadOrder(
  { orders }: Deps,
  trx: Transaction,
  caller: Principal,
  id: string | undefined,
) {
  const order = id
    ? await orders.loadOrderToChange(trx, id)
    : await orders.loadCurrentCart(trx, caller.user_id)
  if (order.user_id !== caller.user_id && !mayServe(caller)) throw unknownOrder()
  return order
}
