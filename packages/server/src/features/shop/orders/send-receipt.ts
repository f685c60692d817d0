import { transact } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../tables.ts'
import type { Principal } from '../../operations/access/index.ts'
import { boxesIn, loadOrderToChange } from './load-order.ts'
import type { Deps } from './orders.ts'
import type { LoadedOrder, OrderItem } from './repository.ts'
import * as rules from './rules.ts'
import type { DisplayOrder } from './schema.ts'
import { showOrder } from './show-order.ts'

export async function sendReceipt(
  { accounts, lootboxSales, notifications }: Deps,
  trx: Transaction,
  order: LoadedOrder,
): Promise<void> {
  const user = await accounts.findAccount(order.user_id, trx)
  if (!user?.email) return
  const { items } = order
  const boxNames = await lootboxSales.nameLootboxes(trx, boxesIn(items))
  await notifications.queueMail(trx, {
    to: user.email,
    user_id: user.id,
    page: `/orders/${order.id}`,
    template: 'receipt',
    params: {
      order_number: rules.orderNumber(order),
      lines: items.map((item) => [nameOf(item, boxNames), rules.priceOfItem(item)]),
      total_in_cents: rules.totalOf(items),
    },
  })
}

/** The email goes to the buyer, even if an operator requests it. */
export async function resendReceipt(
  deps: Deps,
  caller: Principal,
  id: string,
): Promise<DisplayOrder> {
  const { db, audit } = deps
  const isOperator = caller.scopes.has('order:resendConfirmation')
  await transact(db, async (trx) => {
    const order = await loadOrderToChange(trx, id)
    const isOwn = order.user_id === caller.user_id
    if (!isOwn && !isOperator) throw rules.unknownOrder()
    if (order.status !== 'Paid') throw rules.notPaid()
    await sendReceipt(deps, trx, order)
    const entry = { actor_id: caller.user_id, subject_id: order.user_id }
    await audit.writeEntry(trx, 'order.receipt_resent', { ...entry, details: { order_id: id } })
  })
  return showOrder(deps, id, isOperator)
}

const nameOf = (item: OrderItem, boxNames: ReadonlyMap<string, string>): string =>
  rules.isBox(item)
    ? (boxNames.get(item.lootbox_id) ?? 'Lootbox')
    : (item.display_format ?? 'Discount')
