import { transact } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../tables.ts'
import type { Principal } from '../../operations/access/index.ts'
import type { Code } from '../codes/codes.ts'
import type { DisplayOrder, LoadedOrder, Order } from '../orders/orders.ts'
import { pendingPayment } from '../settlement/settlement.ts'
import type { Deps } from './deps.ts'
import { adjustPayment, discountable } from './discount-order.ts'
import * as rules from './rules.ts'

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

export async function removeCode(
  deps: Deps,
  caller: Principal,
  code_id: string,
): Promise<DisplayOrder> {
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

/** The price is fixed once money arrived or is pending. */
async function assertUnpaid(
  { orders, payments }: Deps,
  trx: Transaction,
  order: Order,
): Promise<void> {
  const { received } = await orders.loadSums(trx, order.id)
  if (received > 0 || (await payments.isUnderWay(trx, order))) throw pendingPayment()
}

/** Locks the cart, which has to wait for its payment with nothing paid yet. */
async function loadUnpaid(deps: Deps, trx: Transaction, { user_id }: Principal) {
  const { orders } = deps
  const order = await orders.loadCurrentCart(trx, user_id)
  if (order.status !== 'PendingPayment') throw rules.onlyPending()
  await assertUnpaid(deps, trx, order)
  return order
}
