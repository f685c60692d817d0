import { transact } from '../../../platform/database/database.ts'
import type { Letter } from '../../../platform/mail/letter.ts'
import { inDollars } from '../../../platform/mail/phrases.ts'
import type { Transaction } from '../../../tables.ts'
import type { User } from '../../identity/accounts/accounts.ts'
import type { Principal } from '../../operations/access/access.ts'
import { boxesIn, loadToChange } from './load-order.ts'
import type { Deps } from './orders.ts'
import type { LoadedOrder, OrderItem } from './repository.ts'
import * as rules from './rules.ts'
import type { DisplayOrder } from './schema.ts'
import { showOrder } from './show-order.ts'

export async function sendReceipt(
  { lootboxSales, notifications }: Deps,
  trx: Transaction,
  order: LoadedOrder,
  user: User | undefined,
): Promise<void> {
  if (!user?.email) return
  const { items } = order
  const boxNames = await lootboxSales.nameLootboxes(trx, boxesIn(items))
  await notifications.queueMail(trx, {
    to: user.email,
    user_id: user.id,
    page: `/orders/${order.id}`,
    kind: 'receipt',
    letter: receipt({
      order_number: rules.orderNumber(order),
      lines: items.map((item) => [nameOf(item, boxNames), rules.priceOfItem(item)]),
      total_in_cents: rules.totalOf(items),
    }),
  })
}

/** The email goes to the buyer, even if an operator requests it. */
export async function resendReceipt(
  deps: Deps,
  caller: Principal,
  id: string,
): Promise<DisplayOrder> {
  const { db, accounts, audit } = deps
  const isOperator = caller.scopes.has('order:resendConfirmation')
  await transact(db, async (trx) => {
    const order = await loadToChange(trx, id)
    const isOwn = order.user_id === caller.user_id
    if (!isOwn && !isOperator) throw rules.unknownOrder()
    if (order.status !== 'Paid') throw rules.notPaid()
    await sendReceipt(deps, trx, order, await accounts.findAccount(order.user_id, trx))
    const entry = { actor_id: caller.user_id, subject_id: order.user_id }
    await audit.writeEntry(trx, 'order.receipt_resent', { ...entry, details: { order_id: id } })
  })
  return showOrder(deps, id, isOperator)
}

function receipt({
  order_number,
  lines,
  total_in_cents,
}: {
  order_number: string
  lines: [name: string, cents: number][]
  total_in_cents: number
}): Letter {
  const total = inDollars(total_in_cents)
  return {
    subject: `Your receipt for order ${order_number}`,
    before: 'Thank you for your purchase:',
    notice: `Your order is paid: ${total}.`,
    lines: [
      ...lines.map(([name, cents]): [string, string] => [name, inDollars(cents)]),
      ['Total', total],
    ],
    after: 'Keep this email as your receipt.',
  }
}

const nameOf = (item: OrderItem, boxNames: ReadonlyMap<string, string>): string =>
  rules.isBox(item)
    ? (boxNames.get(item.lootbox_id) ?? 'Lootbox')
    : (item.display_format ?? 'Discount')
