import type { EmojiId } from '@emojid/core'
import { transact } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../tables.ts'
import type { Offer } from '../../directory/catalog/index.ts'
import type { Principal } from '../../operations/access/index.ts'
import type { DisplayOrder, LoadedOrder } from '../orders/index.ts'
import type { Deps } from './deps.ts'
import { lapseCurrentIfExpired } from './lapse-expired-cart.ts'
import { enterPartnerFlow } from './partner-fees.ts'
import * as rules from './rules.ts'
import type { NewItems } from './schema.ts'

const noOffer: Offer = { availability: 'NoPrice', price: null }

/** Changes the current cart under its lock and returns it. */
export async function changeCart(
  { db, orders }: Deps,
  { user_id }: Principal,
  work: (trx: Transaction, cart: LoadedOrder) => Promise<void>,
): Promise<DisplayOrder> {
  const id = await transact(db, async (trx) => {
    const cart = await orders.loadCurrentCart(trx, user_id)
    await work(trx, cart)
    return cart.id
  })
  return orders.showOrder(id)
}

export async function addItems(
  deps: Deps,
  caller: Principal,
  request: NewItems,
): Promise<DisplayOrder> {
  const { catalog, lootboxSales, orders, now } = deps
  const { items, tracking_data, organization_id = null } = request
  const read = items.map(rules.readItem)
  const tracking = rules.readTrackingData(tracking_data)
  const ids = read.flatMap(({ id, text }) => (text === null ? [] : (id as EmojiId)))
  const boxes = read.flatMap(({ id, text }) => (text === null ? id : []))
  const offers = new Map<string, Offer>([
    ...(await catalog.makeOffers(ids, caller.user_id)),
    ...(await lootboxSales.showOffers(boxes)),
  ])
  const target = read.map((one) => ({ ...one, offer: offers.get(one.id) ?? noOffer }))
  await lapseCurrentIfExpired(deps, caller)
  return changeCart(deps, caller, async (trx, cart) => {
    rules.assertEditable(cart)
    const present = cart.items
    rules.assertFewBoxes(target, present)
    rules.assertAddable(target, present)
    const { fees, bears_client_fee } = await enterPartnerFlow(deps, trx, cart, organization_id)
    const rows = target.map(({ id, text, offer }) =>
      text === null
        ? rules.newBoxItem(id, offer, fees, now())
        : rules.newItem(text, offer, fees, now()),
    )
    await orders.insertItems(
      trx,
      rows.map((row) => ({ ...row, order_id: cart.id, bears_client_fee })),
    )
    await orders.updateOrder(trx, cart.id, tracking ? { tracking_data: tracking } : {})
  })
}

export async function removeItem(
  deps: Deps,
  caller: Principal,
  item_id: string,
): Promise<DisplayOrder> {
  const { orders } = deps
  await lapseCurrentIfExpired(deps, caller)
  return changeCart(deps, caller, async (trx, cart) => {
    rules.assertEditable(cart)
    if (!cart.items.some(({ id }) => id === item_id)) throw rules.unknownCartItem()
    await orders.removeItems(trx, [item_id])
    await orders.updateOrder(trx, cart.id, {})
  })
}

export async function clearCart(deps: Deps, caller: Principal): Promise<DisplayOrder> {
  const { orders, settlement } = deps
  const current = await orders.findCurrentCart(caller.user_id)
  if (current) await settlement.abandonCheckout(current.id)
  return changeCart(deps, caller, async (trx, cart) => {
    rules.assertEditable(cart)
    const ids = cart.items.map(({ id }) => id)
    if (ids.length > 0) await orders.removeItems(trx, ids)
    await orders.updateOrder(trx, cart.id, {})
  })
}
