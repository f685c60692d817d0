import type { EmojiId } from '@emojid/core'
import { bindUseCases } from '../../../platform/bind.ts'
import { transact } from '../../../platform/database/database.ts'
import type { Database, Transaction } from '../../../tables.ts'
import type { Catalog, Offer } from '../../directory/catalog/catalog.ts'
import type { Organizations } from '../../identity/organizations/organizations.ts'
import type { Principal } from '../../operations/access/index.ts'
import {
  type BoxSales,
  type DisplayOrder,
  isLapsed,
  type LoadedOrder,
  type Order,
  type Orders,
} from '../orders/orders.ts'
import type { Settlement } from '../settlement/settlement.ts'
import type { NewItems } from './routes.ts'
import * as rules from './rules.ts'

export { type FeePercents, feesOn, markOf, newItem, pricedAt, readTrackingData } from './rules.ts'

export type Deps = {
  db: Database
  catalog: Catalog
  lootboxSales: BoxSales
  orders: Orders
  organizations: Organizations
  settlement: Settlement
  now: () => Date
  companyFeePercent: number
}

export type Carts = ReturnType<typeof createCarts>

/** Carts: ids and boxes that a buyer collects before paying. */
export function createCarts(deps: Deps) {
  return bindUseCases(deps, {
    showCart,
    addItems,
    removeItem,
    clearCart,
    convertToDraft,
    hasItems,
    findFees,
    assertPartner,
    lapseIfExpired,
    lapseCurrentIfExpired,
  })
}

async function showCart(deps: Deps, caller: Principal): Promise<DisplayOrder> {
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

async function addItems(deps: Deps, caller: Principal, request: NewItems): Promise<DisplayOrder> {
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

async function removeItem(deps: Deps, caller: Principal, item_id: string): Promise<DisplayOrder> {
  const { orders } = deps
  await lapseCurrentIfExpired(deps, caller)
  return changeCart(deps, caller, async (trx, cart) => {
    rules.assertEditable(cart)
    if (!cart.items.some(({ id }) => id === item_id)) throw rules.unknownCartItem()
    await orders.removeItems(trx, [item_id])
    await orders.updateOrder(trx, cart.id, {})
  })
}

async function clearCart(deps: Deps, caller: Principal): Promise<DisplayOrder> {
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

async function convertToDraft(
  { orders, settlement }: Deps,
  caller: Principal,
): Promise<DisplayOrder> {
  const current = await orders.findCurrentCart(caller.user_id)
  if (!current || !(await settlement.abandonCheckout(current.id))) throw rules.alreadyDraft()
  return orders.showOrder(current.id)
}

async function hasItems({ orders, db }: Deps, user_id: string): Promise<boolean> {
  const current = await orders.findCurrentCart(user_id)
  return current !== undefined && (await orders.loadItems(db, current.id)).length > 0
}

async function findFees(
  { organizations, companyFeePercent }: Deps,
  trx: Transaction,
  organization_id: string | null,
) {
  const partner = organization_id && (await organizations.findOrganization(trx, organization_id))
  return { client: partner ? partner.client_fee_percent : 0, company: companyFeePercent }
}

async function assertPartner(
  { organizations }: Deps,
  trx: Transaction,
  organization_id: string | null,
) {
  if (organization_id === null || (await organizations.findOrganization(trx, organization_id)))
    return
  throw rules.unknownPartner()
}

/** Lapses a checkout whose hold has expired, even if its job is late. */
async function lapseIfExpired({ now, settlement }: Deps, order: Order | undefined): Promise<void> {
  if (order && isLapsed(order, now())) await settlement.lapseOrder(order.id)
}

/** Lapses the caller's current cart if its hold has expired; returns the resulting cart. */
async function lapseCurrentIfExpired(
  deps: Deps,
  { user_id }: Principal,
): Promise<Order | undefined> {
  const { orders, now } = deps
  const current = await orders.findCurrentCart(user_id)
  if (!current || !isLapsed(current, now())) return current
  await lapseIfExpired(deps, current)
  return orders.findCurrentCart(user_id)
}
