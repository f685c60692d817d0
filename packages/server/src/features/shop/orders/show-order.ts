import type { EmojiId } from '@emojid/core'
import { takeTurn } from '../../../platform/turns.ts'
import type { Principal } from '../../operations/access/access.ts'
import { sumsOf } from '../ledger/ledger.ts'
import { boxesIn } from './load-order.ts'
import type { Deps } from './orders.ts'
import type { LoadedOrder, Order } from './repository.ts'
import * as orders from './repository.ts'
import * as rules from './rules.ts'
import type { DisplayOrder } from './schema.ts'
import { openObject } from './seal-payment.ts'

/** An order can have 100 items: more orders at once would fill a long turn of the event loop. */
const ordersAtOnce = 10

/** Loads and shows the orders of a page, a few at a time. */
export async function inParts<View>(
  { db }: Deps,
  rows: readonly Order[],
  show: (part: readonly LoadedOrder[]) => Promise<View[]>,
): Promise<View[]> {
  const views: View[] = []
  for (let at = 0; at < rows.length; at += ordersAtOnce) {
    const ids = rows.slice(at, at + ordersAtOnce).map(({ id }) => id)
    views.push(...(await show(await orders.load(db, ids))))
  }
  return views
}

export async function showOrders(
  { db, accounts, codes, emojiIds, lootboxSales, sealer, now }: Deps,
  rows: readonly LoadedOrder[],
  withTracking = false,
): Promise<DisplayOrder[]> {
  if (rows.length === 0) return []
  const users = await accounts.showAccountsOf([...new Set(rows.map(({ user_id }) => user_id))])
  const usersById = new Map(users.map((user) => [user.id, user]))
  // Owners decide what can be refunded.
  const boughtItems = rows.flatMap(({ paid_at, items }) => (paid_at ? items : []))
  const boughtIds = boughtItems.filter(rules.isId).map(({ emoji_id }) => emoji_id as EmojiId)
  const owners = await emojiIds.findOwners(db, boughtIds)
  const boxOwners = await lootboxSales.findLootboxOwners(db, boxesIn(boughtItems))
  const views: DisplayOrder[] = []
  for (const order of rows) {
    await takeTurn()
    const open = rules.openAttemptOf(order)
    const view = rules.display({
      order,
      sums: sumsOf(order),
      user: usersById.get(order.user_id) as DisplayOrder['user'],
      object: open && openObject({ sealer }, open),
      applied: order.applied_codes.map((code) => ({ code_id: code.id, name: codes.nameOf(code) })),
      owners,
      boxOwners,
      now: now(),
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
  const [view] = await showOrders(deps, await orders.load(deps.db, [id]), withTracking)
  if (!view) throw rules.unknownOrder()
  return view
}

export async function showOrderTo(
  deps: Deps,
  caller: Principal,
  id: string,
): Promise<DisplayOrder> {
  const [order] = await orders.load(deps.db, [id])
  const mayReadAll = caller.scopes.has('order:read')
  const isOwn = order?.user_id === caller.user_id
  if (!order || (!isOwn && !mayReadAll)) throw rules.unknownOrder()
  const [view] = await showOrders(deps, [order], mayReadAll && !isOwn)
  return view as DisplayOrder
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
