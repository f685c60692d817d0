import { createHmac } from 'node:crypto'
import { type EmojiId, randomFitting, seededDraw } from '@emojid/core'
import { transact } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../tables.ts'
import type { Principal } from '../../operations/access/index.ts'
import { newItem, readTrackingData } from '../carts/carts.ts'
import type { Order } from '../orders/orders.ts'
import type { Deps } from './deps.ts'
import { discountByCode } from './discount-order.ts'
import * as rules from './rules.ts'
import type { CodeActivation } from './schema.ts'

const draws = 20

/** Time limit for patterns that hardly any id matches. */
const drawMs = 100

/** Creates a new current cart with a random id that the code pays for. */
export async function useRandomCode(
  deps: Deps,
  caller: Principal,
  code_id: string,
  activation: CodeActivation,
  network: string,
) {
  const { carts, codes, orders, checkout, db } = deps
  const { tracking_data, organization_id = null, ...proof } = activation
  const tracking = readTrackingData(tracking_data)
  const use = async (trx: Transaction, drawnIds: readonly EmojiId[]) => {
    // Lock order: the cart, then the code.
    const cart = await emptyCart(deps, trx, caller.user_id)
    await carts.assertPartner(trx, organization_id)
    await codes.activateCode(trx, caller, code_id, proof)
    const order = await orders.updateOrder(trx, cart.id, {
      organization_id,
      tracking_data: tracking ?? null,
    })
    const item = await holdFirstUnowned(deps, trx, order, drawnIds)
    const bears_client_fee = organization_id !== null
    const orderItem = { ...item, order_id: order.id, bears_client_fee }
    const items = await orders.insertItems(trx, [orderItem])
    const pending = await orders.moveToPending(trx, { ...order, items }, checkout.endOfHold(), null)
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

async function emptyCart({ orders }: Deps, trx: Transaction, user_id: string): Promise<Order> {
  const current = await orders.loadCurrentCart(trx, user_id)
  if (current.items.length === 0) return current
  await orders.updateOrder(trx, current.id, { is_current: false })
  return orders.createCart(trx, user_id, { is_current: true })
}

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

/**
 * Holds the first id that is not sold. An id in a checkout is not skipped: a buyer could hold it from
 * another account, and so choose among the draws.
 */
async function holdFirstUnowned(
  { carts, catalog, checkout, emojiIds, now }: Deps,
  trx: Transaction,
  order: Order,
  drawnIds: readonly EmojiId[],
) {
  const fees = await carts.findFees(trx, order.organization_id)
  for (const id of drawnIds) {
    const price = (await catalog.findPrices(trx, [id])).get(id) ?? null
    if (price === null) continue
    const offer = { availability: 'Available', price } as const
    const holder = { order_id: order.id, user_id: order.user_id, expires_at: checkout.endOfHold() }
    const { taken, held } = await emojiIds.holdIds(trx, holder, [id])
    if (held.length > 0) throw rules.heldDraw()
    if (taken.length === 0) return newItem(id, offer, fees, now())
  }
  throw rules.nothingFits()
}
