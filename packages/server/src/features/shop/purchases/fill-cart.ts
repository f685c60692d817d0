import type { EmojiId } from '@emojid/core'
import { transact } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../tables.ts'
import type { Offer } from '../../directory/catalog/catalog.ts'
import type { Principal } from '../../operations/access/index.ts'
import { type DisplayOrder, isLapsed, type LoadedOrder, type Order } from '../orders/orders.ts'
import { abandonCheckout, lapseOrder } from './lapse.ts'
import { findFees } from './price-order.ts'
import type { Deps } from './purchases.ts'
import type { NewItems } from './routes.ts'
import * as rules from './rules.ts'

export async function showCart(deps: Deps, caller: Principal): Promise<DisplayOrder> {
  const { orders } = deps
  const current = await lapseCurrentIfExpired(deps, caller)
  return current ? orders.showOrder(current.id) : changeCart(deps, caller, async () => {})
}

/** Changes the current cart under its lock and returns it. */
async function changeCart(
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

const noOffer: Offer = { availability: 'NoPrice', price: null }

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

/** Assigns the cart to the partner in whose flow it is filled. */
async function enterPartnerFlow(
  deps: Deps,
  trx: Transaction,
  cart: LoadedOrder,
  path: string | null,
) {
  const { orders } = deps
  await assertPartner(deps, trx, path)
  const organization_id = rules.partnerOf(cart, path)
  if (organization_id !== cart.organization_id) {
    await orders.updateOrder(trx, cart.id, { organization_id })
  }
  const bears_client_fee = organization_id !== null
  return { fees: await findFees(deps, trx, organization_id), bears_client_fee }
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
  const { orders } = deps
  const current = await orders.findCurrentCart(caller.user_id)
  if (current) await abandonCheckout(deps, current.id)
  return changeCart(deps, caller, async (trx, cart) => {
    rules.assertEditable(cart)
    const ids = cart.items.map(({ id }) => id)
    if (ids.length > 0) await orders.removeItems(trx, ids)
    await orders.updateOrder(trx, cart.id, {})
  })
}

export async function convertToDraft(deps: Deps, caller: Principal): Promise<DisplayOrder> {
  const { orders } = deps
  const current = await orders.findCurrentCart(caller.user_id)
  if (!current || !(await abandonCheckout(deps, current.id))) throw rules.alreadyDraft()
  return orders.showOrder(current.id)
}

export async function hasItems({ orders, db }: Deps, user_id: string): Promise<boolean> {
  const current = await orders.findCurrentCart(user_id)
  return current !== undefined && (await orders.loadItems(db, current.id)).length > 0
}

export async function assertPartner(
  { organizations }: Deps,
  trx: Transaction,
  organization_id: string | null,
) {
  if (organization_id === null || (await organizations.findOrganization(trx, organization_id)))
    return
  throw rules.unknownPartner()
}

/** Lapses a checkout whose hold has expired, even if its job is late. */
export async function lapseIfExpired(deps: Deps, order: Order | undefined): Promise<void> {
  const { now } = deps
  if (order && isLapsed(order, now())) await lapseOrder(deps, order.id)
}

/** Lapses the caller's current cart if its hold has expired; returns the resulting cart. */
export async function lapseCurrentIfExpired(
  deps: Deps,
  { user_id }: Principal,
): Promise<Order | undefined> {
  const { orders, now } = deps
  const current = await orders.findCurrentCart(user_id)
  if (!current || !isLapsed(current, now())) return current
  await lapseIfExpired(deps, current)
  return orders.findCurrentCart(user_id)
}
