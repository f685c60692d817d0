import { transact } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../tables.ts'
import type { Principal } from '../../operations/access/index.ts'
import type { Code } from '../codes/index.ts'
import type { DisplayOrder, Order } from '../orders/index.ts'
import { paymentUnderWay } from '../settlement/index.ts'
import type { Deps } from './deps.ts'
import { adjustPayment, discountable } from './discount-order.ts'
import * as rules from './rules.ts'

/** These codes, and no other, take off what they take off now. */
export async function discountAnew(
  { orders, codes }: Deps,
  trx: Transaction,
  order: Order,
  wanted: readonly Code[],
) {
  const all = await orders.itemsOf(trx, order.id)
  const before = all.filter(({ code_id }) => code_id !== null).map(({ id }) => id)
  if (before.length > 0) await orders.removeItems(trx, before)
  for (const code of wanted) {
    const items = await orders.itemsOf(trx, order.id)
    const discounts = codes.discountsOf(code, discountable(items))
    if (discounts.length > 0) await orders.addDiscounts(trx, order.id, discounts, code)
  }
}

/** The price is what it is without the code. */
export async function removeCode(
  deps: Deps,
  caller: Principal,
  code_id: string,
): Promise<DisplayOrder> {
  const { carts, db, codes, settlement, orders } = deps
  await carts.healCurrent(caller)
  const { id } = await transact(db, async (trx) => {
    const order = await loadUnpaid(deps, trx, caller)
    const used = await codes.ofOrder(trx, order.id)
    if (!used.some((code) => code.id === code_id)) throw rules.unknownCode()
    return order
  })
  // Whoever pays in this moment pays the price with the code, or not any more.
  const ended = await settlement.endPayment(id)
  const isRemoved = await transact(db, async (trx) => {
    const order = await loadUnpaid(deps, trx, caller)
    if (!(await codes.releaseOne(trx, order.id, code_id))) return false
    await discountAnew(deps, trx, order, await codes.ofOrder(trx, order.id))
    return true
  })
  await adjustPayment(deps, id, ended)
  if (!isRemoved) throw rules.unknownCode()
  return orders.show(id)
}

/** What was paid at one price is not asked for at another. */
async function assertUnpaid(
  { orders, payments }: Deps,
  trx: Transaction,
  order: Order,
): Promise<void> {
  const { received } = await orders.sumsOf(trx, order.id)
  if (received > 0 || (await payments.isUnderWay(trx, order))) throw paymentUnderWay()
}

/** The cart that waits for its payment, while nothing of it was paid. */
async function loadUnpaid(deps: Deps, trx: Transaction, { user_id }: Principal): Promise<Order> {
  const { orders } = deps
  const order = await orders.loadCurrent(trx, user_id)
  if (order.status !== 'PendingPayment') throw rules.onlyPending()
  await assertUnpaid(deps, trx, order)
  return order
}
