import type { EmojiId } from '@emojid/core'
import type { Transaction } from '../../../tables.ts'
import type { Offer } from '../../directory/catalog/catalog.ts'
import type { Principal } from '../../operations/access/access.ts'
import { type DisplayOrder, isLapsed, type LoadedOrder } from '../orders/orders.ts'
import { changePurchase } from './change-purchase.ts'
import { abandonCheckout } from './lapse.ts'
import { findFees } from './price-order.ts'
import type { Deps } from './purchases.ts'
import type { NewItems } from './routes.ts'
import * as rules from './rules.ts'

export async function showCart(deps: Deps, caller: Principal): Promise<DisplayOrder> {
  const { orders, now } = deps
  const current = await orders.findCurrentCart(caller.user_id)
  if (current && !isLapsed(current, now())) return orders.showOrder(current.id)
  return changeCart(deps, caller, async () => {})
}

/** Changes the current cart under its lock and returns it. */
async function changeCart(
  deps: Deps,
  { user_id }: Principal,
  work: (trx: Transaction, cart: LoadedOrder) => Promise<void>,
): Promise<DisplayOrder> {
  const { orders } = deps
  const id = await changePurchase(deps, { user_id }, async (trx, cart) => {
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
  return changeCart(deps, caller, async (trx, cart) => {
    rules.assertEditable(cart)
    const present = cart.items
    rules.assertFewBoxes(target, present)
    rules.assertAddable(target, present)
    await assertPartner(deps, trx, organization_id)
    // Assigns the cart to the partner in whose flow it is filled.
    const partner = rules.partnerOf(cart, organization_id)
    const fees = await findFees(deps, trx, partner)
    const bears_client_fee = partner !== null
    const rows = target.map(({ id, text, offer }) =>
      text === null
        ? rules.newBoxItem(id, offer, fees, now())
        : rules.newItem(text, offer, fees, now()),
    )
    await orders.insertItems(
      trx,
      rows.map((row) => ({ ...row, order_id: cart.id, bears_client_fee })),
    )
    const tracking_data = tracking ? { tracking_data: tracking } : {}
    await orders.updateOrder(trx, cart, {
      ...tracking_data,
      organization_id: partner,
      is_filled: true,
    })
  })
}

export async function removeItem(
  deps: Deps,
  caller: Principal,
  item_id: string,
): Promise<DisplayOrder> {
  const { orders } = deps
  return changeCart(deps, caller, async (trx, cart) => {
    rules.assertEditable(cart)
    if (!cart.items.some(({ id }) => id === item_id)) throw rules.unknownCartItem()
    await orders.removeItems(trx, [item_id])
    await orders.updateOrder(trx, cart, { is_filled: cart.items.length > 1 })
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
    await orders.updateOrder(trx, cart, { is_filled: false })
  })
}

export async function convertToDraft(deps: Deps, caller: Principal): Promise<DisplayOrder> {
  const { orders } = deps
  const current = await orders.findCurrentCart(caller.user_id)
  if (!current || !(await abandonCheckout(deps, current.id))) throw rules.alreadyDraft()
  return orders.showOrder(current.id)
}

export const hasItems = async ({ orders }: Deps, user_id: string): Promise<boolean> =>
  (await orders.findCurrentCart(user_id))?.is_filled === true

export async function assertPartner(
  { organizations }: Deps,
  trx: Transaction,
  organization_id: string | null,
) {
  if (organization_id === null || (await organizations.findOrganization(trx, organization_id)))
    return
  throw rules.unknownPartner()
}
