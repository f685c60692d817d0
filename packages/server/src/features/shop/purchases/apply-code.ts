import { createHmac } from 'node:crypto'
import { type EmojiId, randomFitting, seededDraw } from '@emojid/core'
import { transact } from '../../../platform/database/database.ts'
import { ServiceError } from '../../../platform/errors.ts'
import type { Transaction } from '../../../tables.ts'
import type { Principal } from '../../operations/access/access.ts'
import {
  type DisplayOrder,
  dueOf,
  type LoadedOrder,
  type Order,
  openAttemptOf,
  snapshotOf,
} from '../orders/orders.ts'
import { changeAmount, closePayments, isOffered } from './attempts.ts'
import { changePurchase } from './change-purchase.ts'
import { payThroughProvider } from './check-out.ts'
import { assertPartner } from './fill-cart.ts'
import { creditReceived } from './grant.ts'
import { endOfHold, moveToPending } from './hold-items.ts'
import { endPaymentAtProvider } from './lapse.ts'
import { openPayment } from './open-attempt.ts'
import * as payments from './payment-rules.ts'
import { discountable, findFees, replaceCodeDiscounts } from './price-order.ts'
import type { Deps } from './purchases.ts'
import type { Attempt } from './repository.ts'
import * as attempts from './repository.ts'
import type { CodeActivation } from './routes.ts'
import * as rules from './rules.ts'

/** The cart has to wait for its payment. */
export async function applyCode(
  deps: Deps,
  caller: Principal,
  code: string,
  network: string,
): Promise<DisplayOrder> {
  const { orders, codes } = deps
  const { user_id } = caller
  const apply = () =>
    changePurchase(deps, { user_id }, async (trx, order, gone) => {
      if (order.status !== 'PendingPayment') throw rules.onlyPending()
      const cheaper = await discountByCode(deps, trx, order, { code })
      const isGranted = await creditReceived(deps, trx, cheaper, gone, user_id)
      return { order: cheaper, isGranted }
    })
  const { order, isGranted } = await codes.countAttempt({ user_id, network }, apply)
  if (!isGranted) await adjustPayment(deps, order)
  return orders.showOrder(order.id)
}

export async function removeCode(
  deps: Deps,
  { user_id }: Principal,
  code_id: string,
): Promise<DisplayOrder> {
  const { codes, orders } = deps
  const { id } = await changePurchase(deps, { user_id }, async (trx, order) => {
    assertUnpaidCheckout(order)
    const usedCodes = await codes.findCodesOnOrder(trx, order.id)
    if (!usedCodes.some((code) => code.id === code_id)) throw rules.unknownCode()
    return order
  })
  // A payment that arrives at this moment either counts at the price with the code or is ended.
  const endedAttempt = await endPaymentAtProvider(deps, id)
  const { order, isRemoved } = await changePurchase(deps, { user_id }, async (trx, order) => {
    assertUnpaidCheckout(order)
    if (!(await codes.releaseCode(trx, order.id, code_id))) return { order, isRemoved: false }
    const usedCodes = await codes.findCodesOnOrder(trx, order.id)
    return { order: await replaceCodeDiscounts(deps, trx, order, usedCodes), isRemoved: true }
  })
  await adjustPayment(deps, order, endedAttempt)
  if (!isRemoved) throw rules.unknownCode()
  return orders.showOrder(order.id)
}

/** Creates a new current cart with a random id that the code pays for. */
export async function useRandomCode(
  deps: Deps,
  caller: Principal,
  code_id: string,
  activation: CodeActivation,
  network: string,
) {
  const { codes, orders, db } = deps
  const { tracking_data, organization_id = null, ...proof } = activation
  const tracking = rules.readTrackingData(tracking_data)
  const use = async (trx: Transaction, drawnIds: readonly EmojiId[]) => {
    // Lock order: the cart, then the code.
    const cart = await emptyCart(deps, trx, caller.user_id)
    await assertPartner(deps, trx, organization_id)
    await codes.activateCode(trx, caller, code_id, proof)
    const change = { organization_id, tracking_data: tracking ?? null, is_filled: true }
    const order = { ...cart, ...(await orders.updateOrder(trx, cart, change)) }
    const item = await holdFirstUnowned(deps, trx, order, drawnIds)
    const bears_client_fee = organization_id !== null
    const orderItem = { ...item, order_id: order.id, bears_client_fee }
    const items = await orders.insertItems(trx, [orderItem])
    const pending = await moveToPending(deps, trx, { ...order, items }, endOfHold(deps), null)
    await discountByCode(deps, trx, pending, { code_id })
    return order.id
  }
  const { user_id } = caller
  const id = await codes.countAttempt({ user_id, network }, async () => {
    const drawnIds = await drawIdFor(deps, user_id, code_id)
    return transact(db, (trx) => use(trx, drawnIds))
  })
  return orders.showOrder(id)
}

async function discountByCode(
  { orders, codes }: Deps,
  trx: Transaction,
  order: LoadedOrder,
  selector: { code: string } | { code_id: string },
): Promise<LoadedOrder> {
  const { code, discounts } = await codes.reserveCode(trx, selector, {
    order_id: order.id,
    user_id: order.user_id,
    organization_id: order.organization_id,
    items: discountable(order.items),
  })
  if (discounts.length === 0) throw rules.nothingToTakeOff()
  return orders.addDiscounts(trx, order, discounts, code)
}

/** Changes the open payment to the amount due. */
async function adjustPayment(deps: Deps, order: LoadedOrder, ended?: Attempt): Promise<void> {
  const { db, orders } = deps
  const present = openAttemptOf(order)
  const attempt = present ?? ended
  if (!attempt) return
  // Only the owner may charge a saved card, never a price change.
  const canBePaid = (due: number) =>
    attempt.payment_method === null && isOffered(deps, attempt.method, due)
  const due = dueOf(order)
  if (present && canBePaid(due) && (await ignoreUnavailable(changeAmount(deps, present, due)))) {
    const items = JSON.stringify(snapshotOf(order))
    if (await attempts.setAmount(db, present, due, items)) return
  }
  // The provider cannot change it, or another request has changed it.
  const next = await transact(db, async (trx) => {
    const current = await orders.loadToChange(trx, order.id)
    const isSame = openAttemptOf(current)?.id === present?.id
    if (!isSame || current.status !== 'PendingPayment') return undefined
    const { success_url, cancel_url, method } = attempt
    const urls = success_url && cancel_url ? { success_url, cancel_url } : undefined
    await closePayments(deps, trx, current)
    if (!canBePaid(dueOf(current))) return undefined
    const closed = { ...current, attempts: [] }
    return payThroughProvider(deps, trx, closed, method, urls)
  })
  if (next) await ignoreUnavailable(openPayment(deps, next))
}

/**
 * Ignores an unreachable provider: the order stores the amount due, and the next checkout calls the
 * provider again.
 */
async function ignoreUnavailable<Result>(
  askingResult: Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await askingResult
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'unavailable') return undefined
    throw error
  }
}

/** The cart has to wait for its payment, with nothing paid yet. */
function assertUnpaidCheckout(order: LoadedOrder): void {
  if (order.status !== 'PendingPayment') throw rules.onlyPending()
  payments.assertUnpaid(order)
}

async function emptyCart(
  { orders }: Deps,
  trx: Transaction,
  user_id: string,
): Promise<LoadedOrder> {
  const current = await orders.loadCurrentCart(trx, user_id)
  if (current.items.length === 0) return current
  await orders.updateOrder(trx, current, { is_current: false })
  return orders.createCart(trx, user_id, { is_current: true })
}

/**
 * Holds the first id that is not sold. An id in a checkout is not skipped: a buyer could hold it from
 * another account, and so choose among the draws.
 */
async function holdFirstUnowned(
  deps: Deps,
  trx: Transaction,
  order: Order,
  drawnIds: readonly EmojiId[],
) {
  const { catalog, emojiIds, now } = deps
  const fees = await findFees(deps, trx, order.organization_id)
  for (const id of drawnIds) {
    const price = (await catalog.findPrices(trx, [id])).get(id) ?? null
    if (price === null) continue
    const offer = { availability: 'Available', price } as const
    const holder = { order_id: order.id, user_id: order.user_id, expires_at: endOfHold(deps) }
    const { taken, held } = await emojiIds.holdIds(trx, holder, [id])
    if (held.length > 0) throw rules.heldDraw()
    if (taken.length === 0) return rules.newItem(id, offer, fees, now())
  }
  throw rules.nothingFits()
}

const draws = 20

/** Time limit for patterns that hardly any id matches. */
const drawMs = 100

/**
 * Random matching ids. A buyer gets the same ids for a code in the same order until the buyer gets one
 * with the code, and so cannot draw repeatedly.
 */
async function drawIdFor(
  { codes, db, drawKey }: Deps,
  user_id: string,
  code_id: string,
): Promise<EmojiId[]> {
  const code = await codes.findCode(db, code_id)
  if (code?.code_type !== 'RandomYat') return []
  const use = await codes.countUses(db, code_id, user_id)
  const seed = createHmac('sha256', drawKey).update(`${code_id} ${user_id} ${use}`).digest()
  const draw = seededDraw(seed)
  const endsAt = performance.now() + drawMs
  const drawnIds = new Set<EmojiId>()
  for (let n = 0; n < draws && performance.now() < endsAt; n++) {
    const id = randomFitting(code.pattern ?? {}, draw)
    if (id !== undefined) drawnIds.add(id)
  }
  return [...drawnIds]
}
