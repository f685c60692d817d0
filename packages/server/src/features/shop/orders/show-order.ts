import type { EmojiId } from '@emojid/core'
import { takeTurn } from '../../../platform/turns.ts'
import type { Principal } from '../../operations/access/index.ts'
import { zeroSums } from '../ledger/ledger.ts'
import { boxesIn } from './load-order.ts'
import type { Deps } from './orders.ts'
import type { Order } from './repository.ts'
import * as orders from './repository.ts'
import * as rules from './rules.ts'
import type { DisplayOrder } from './schema.ts'
import { openObject } from './seal-payment.ts'

/** An order can have 100 items: more orders at once would fill a long turn of the event loop. */
const ordersAtOnce = 10

export async function showOrders(
  deps: Deps,
  rows: readonly Order[],
  withTracking = false,
): Promise<DisplayOrder[]> {
  const views: DisplayOrder[] = []
  for (let at = 0; at < rows.length; at += ordersAtOnce)
    views.push(...(await showPart(deps, rows.slice(at, at + ordersAtOnce), withTracking)))
  return views
}

async function showPart(
  { db, ledger, accounts, codes, emojiIds, lootboxSales, sealer, now }: Deps,
  rows: readonly Order[],
  withTracking: boolean,
): Promise<DisplayOrder[]> {
  const ids = rows.map(({ id }) => id)
  const userIds = [...new Set(rows.map(({ user_id }) => user_id))]
  // Only for pending orders: the text of a code may change later, and this buyer must not learn the
  // new one.
  const pending = rows.filter(({ status }) => status === 'PendingPayment').map(({ id }) => id)
  const [items, sums, allAttempts, users, applied, disputes] = await Promise.all([
    orders.findItems(db, ids),
    ledger.sumEntries(db, ids),
    orders.findAttempts(db, ids),
    accounts.findAccounts(db, userIds),
    codes.findCodeNames(pending),
    ledger.findDisputes(db, ids),
  ])
  const accountsById = new Map(
    (await accounts.showAccounts(users, db)).map((user) => [user.id, user]),
  )
  const boughtIds = items.filter(rules.isId).map(({ emoji_id }) => emoji_id as EmojiId)
  const owners = await emojiIds.findOwners(db, boughtIds)
  const boxOwners = await lootboxSales.findLootboxOwners(db, boxesIn(items))
  const views: DisplayOrder[] = []
  for (const order of rows) {
    await takeTurn()
    const attempts = allAttempts.filter((attempt) =>
      [attempt.order_id, attempt.late_order_id].includes(order.id),
    )
    const open = rules.openAttemptOf(order, attempts)
    const view = rules.display({
      order,
      attempts,
      object: open && openObject({ sealer }, open),
      owners,
      boxOwners,
      now: now(),
      items: items.filter(({ order_id }) => order_id === order.id),
      sums: sums.get(order.id) ?? zeroSums,
      user: accountsById.get(order.user_id) as DisplayOrder['user'],
      applied: applied.filter(({ order_id }) => order_id === order.id),
      disputes: disputes.filter(({ order_id }) => order_id === order.id),
    })
    views.push(withTracking ? { ...view, ...forOperators(order) } : view)
  }
  return views
}

export async function showOrder(
  deps: Deps,
  id: string,
  withTracking = false,
): Promise<DisplayOrder> {
  const { db } = deps
  return showFound(deps, await orders.find(db, id), withTracking)
}

export async function showOrderTo(
  deps: Deps,
  caller: Principal,
  id: string,
): Promise<DisplayOrder> {
  const { db } = deps
  const order = await orders.find(db, id)
  const mayReadAll = caller.scopes.has('order:read')
  if (!order || (order.user_id !== caller.user_id && !mayReadAll)) {
    throw rules.unknownOrder()
  }
  return showFound(deps, order, mayReadAll && order.user_id !== caller.user_id)
}

async function showFound(deps: Deps, order: Order | undefined, withTracking: boolean) {
  const [view] = await showOrders(deps, order ? [order] : [], withTracking)
  if (!view) throw rules.unknownOrder()
  return view
}

/** The ledger entries and payment attempts of an order. */
export async function showOrderBooks({ db, ledger }: Deps, id: string) {
  if (!(await orders.find(db, id))) throw rules.unknownOrder()
  const [entries, attempts] = await Promise.all([
    ledger.listEntries(id),
    orders.findAttemptsOf(db, id),
  ])
  return { entries, attempts }
}

/** Operators see more, but not the payment secrets of the buyer. */
const forOperators = ({ tracking_data, refund_request, status }: Order) => ({
  tracking_data,
  refund_request,
  ...(status === 'Paid' ? {} : { payment_method_data: null }),
})
