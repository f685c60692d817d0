import { addJob } from '../../../platform/jobs/jobs.ts'
import type { Transaction } from '../../../tables.ts'
import type { LoadedOrder, Order } from '../orders/orders.ts'
import { holdEndWithin, holdsCountedSince } from './hold-limit.ts'
import type { Deps } from './purchases.ts'
import * as holds from './repository.ts'

export const endOfHold = ({ now, holdMs }: Deps) => new Date(now().getTime() + holdMs)

export const lapseTask = 'orders.lapse'

export const heldBy = ({ items }: LoadedOrder): string[] =>
  items.flatMap(({ emoji_id, lootbox_id }) => emoji_id ?? lootbox_id ?? [])

/** Begins a checkout: holds its ids and queues a job that ends it if it is not paid in time. */
export async function moveToPending(
  deps: Deps,
  trx: Transaction,
  order: LoadedOrder,
  end: Date,
  method: string | null,
  others: Pick<Partial<Order>, 'pubkey'> & { tracking_data?: string | null } = {},
): Promise<LoadedOrder> {
  const { orders } = deps
  // Free and cash orders are fulfilled in this transaction, so their holds do not count.
  const isAtOnce = method === 'Free' || method === 'Cash'
  const expires_at = isAtOnce ? end : await countHold(deps, trx, order, end)
  const round = order.round + 1
  const change = { ...others, round, method, expires_at, held_until: expires_at }
  const pendingOrder = await orders.moveOrder(trx, order, 'PendingPayment', change)
  await addJob(trx, lapseTask, { id: order.id }, jobAt(order.id, expires_at))
  return pendingOrder
}

/** Moves the end of the hold: later while a payment is pending, earlier once it fails. */
export async function holdOrderUntil(
  deps: Deps,
  trx: Transaction,
  order: LoadedOrder,
  until: Date,
): Promise<void> {
  const { orders, emojiIds, lootboxSales } = deps
  if (order.expires_at?.getTime() === until.getTime()) return
  await orders.updateOrder(trx, order, { expires_at: until })
  await recountHold(deps, trx, order, until)
  await emojiIds.extendHolds(trx, order.id, until)
  await lootboxSales.extendHolds(trx, order.id, until)
  await addJob(trx, lapseTask, { id: order.id }, jobAt(order.id, until))
}

export const forgetHoldTimes = ({ db, now }: Deps) =>
  holds.forgetHoldTimesBefore(db, holdsCountedSince(now()))

/**
 * Counts a new hold. It ends early if the buyer's hold limit for one of the ids is nearly used up.
 */
async function countHold(
  { now, emojiIds, lootboxSales }: Deps,
  trx: Transaction,
  order: LoadedOrder,
  end: Date,
) {
  const { id: order_id, user_id } = order
  const [at, heldIds] = [now(), heldBy(order)]
  const since = holdsCountedSince(at)
  const times = await holds.findHoldTimes(trx, { user_id, held: heldIds, since })
  const ended_at = holdEndWithin(times, end, at)
  await holds.insertHoldTimes(
    trx,
    heldIds.map((one) => ({ user_id, held: one, order_id, began_at: at, ended_at })),
  )
  if (ended_at < end) {
    await emojiIds.extendHolds(trx, order_id, ended_at)
    await lootboxSales.extendHolds(trx, order_id, ended_at)
  }
  return ended_at
}

/** A moved hold counts in full, unless the order is paid in the end. */
async function recountHold({ now }: Deps, trx: Transaction, order: LoadedOrder, until: Date) {
  const { id: order_id, user_id } = order
  const [at, endedAfter] = [now(), order.expires_at ?? now()]
  const ended_at = until > at ? until : at
  if (await holds.moveHoldTimes(trx, { order_id, endedAfter, until: ended_at })) return
  await holds.insertHoldTimes(
    trx,
    heldBy(order).map((one) => ({ user_id, held: one, order_id, began_at: at, ended_at })),
  )
}

const jobAt = (id: string, run_at: Date) => ({ key: `${lapseTask}:${id}`, run_at })
