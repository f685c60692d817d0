import type { EmojiId } from '@emojid/core'
import { transact } from '../../platform/database/database.ts'
import type { Database, Transaction } from '../../tables.ts'
import type { Principal } from '../access/index.ts'
import type { Catalog, Offer } from '../catalog/index.ts'
import type { LootboxSales } from '../lootbox-sales/index.ts'
import type { DisplayOrder, Order, OrderItem, Orders } from '../orders/index.ts'
import { isLapsed } from '../orders/index.ts'
import type { Organizations } from '../organizations/index.ts'
import type { Settlement } from '../settlement/index.ts'
import * as rules from './rules.ts'
import type { NewItems } from './schema.ts'

const noOffer: Offer = { availability: 'NoPrice', price: null }

export type Carts = ReturnType<typeof createCarts>

type Options = {
  db: Database
  catalog: Catalog
  lootboxSales: LootboxSales
  orders: Orders
  organizations: Organizations
  settlement: Settlement
  now: () => Date
  companyFeePercent: number
}

/** What a buyer gathers before paying. */
export function createCarts(options: Options) {
  const { db, catalog, lootboxSales, orders, organizations, settlement } = options
  const { now, companyFeePercent } = options

  /** Ends a checkout whose time is over, however long the job for it takes. */
  const heal = async (order: Order | undefined): Promise<void> => {
    if (order && isLapsed(order, now())) await settlement.lapse(order.id)
  }
  const healCurrent = async ({ user_id }: Principal) => heal(await orders.findCurrent(user_id))

  const feesOf = async (trx: Transaction, organization_id: string | null) => {
    const partner = organization_id && (await organizations.find(trx, organization_id))
    return { client: partner ? partner.client_fee_percent : 0, company: companyFeePercent }
  }
  /** The organization, unless there is none of this id. */
  const assertPartner = async (trx: Transaction, organization_id: string | null) => {
    if (organization_id === null || (await organizations.find(trx, organization_id))) return
    throw new rules.UnknownPartnerError()
  }
  /** Makes the cart that of the partner in whose flow it is filled from now on. */
  const enterFlow = async (
    trx: Transaction,
    cart: Order,
    present: readonly OrderItem[],
    given: string | null,
  ) => {
    await assertPartner(trx, given)
    const organization_id = rules.partnerOf(cart, present, given)
    if (organization_id !== cart.organization_id) {
      await orders.update(trx, cart.id, { organization_id })
    }
    const bears_client_fee = organization_id !== null
    return { fees: await feesOf(trx, organization_id), bears_client_fee }
  }
  /** Changes the current cart and answers what it has become. */
  const change = async (
    { user_id }: Principal,
    work: (trx: Transaction, cart: Order) => Promise<void>,
  ): Promise<DisplayOrder> => {
    const id = await transact(db, async (trx) => {
      const cart = await orders.loadCurrent(trx, user_id)
      await work(trx, cart)
      return cart.id
    })
    return orders.show(id)
  }

  return {
    heal,
    healCurrent,
    feesOf,
    assertPartner,

    /** Whether somebody is about to buy something. */
    async hasItems(user_id: string): Promise<boolean> {
      const current = await orders.findCurrent(user_id)
      return current !== undefined && (await orders.itemsOf(db, current.id)).length > 0
    },

    async get(caller: Principal): Promise<DisplayOrder> {
      await healCurrent(caller)
      const current = await orders.findCurrent(caller.user_id)
      return current ? orders.show(current.id) : change(caller, async () => {})
    },

    async add(caller: Principal, request: NewItems): Promise<DisplayOrder> {
      const { items, tracking_data, organization_id = null } = request
      const read = items.map(rules.readItem)
      const tracking = rules.readTrackingData(tracking_data)
      const ids = read.flatMap(({ id, text }) => (text === null ? [] : (id as EmojiId)))
      const boxes = read.flatMap(({ id, text }) => (text === null ? id : []))
      const offers = new Map<string, Offer>([
        ...(await catalog.offers(ids, caller.user_id)),
        ...(await lootboxSales.offers(boxes)),
      ])
      const wanted = read.map((one) => ({ ...one, offer: offers.get(one.id) ?? noOffer }))
      await healCurrent(caller)
      return change(caller, async (trx, cart) => {
        rules.assertEditable(cart)
        const present = await orders.itemsOf(trx, cart.id)
        rules.assertFewBoxes(wanted, present)
        rules.assertAddable(wanted, present)
        const { fees, bears_client_fee } = await enterFlow(trx, cart, present, organization_id)
        const rows = wanted.map(({ id, text, offer }) =>
          text === null
            ? rules.newBoxItem(id, offer, fees, now())
            : rules.newItem(text, offer, fees, now()),
        )
        await orders.insertItems(
          trx,
          rows.map((row) => ({ ...row, order_id: cart.id, bears_client_fee })),
        )
        await orders.update(trx, cart.id, tracking ? { tracking_data: tracking } : {})
      })
    },

    async remove(caller: Principal, item_id: string): Promise<DisplayOrder> {
      await healCurrent(caller)
      return change(caller, async (trx, cart) => {
        rules.assertEditable(cart)
        const items = await orders.itemsOf(trx, cart.id)
        if (!items.some(({ id }) => id === item_id)) throw new rules.UnknownItemError()
        await orders.removeItems(trx, [item_id])
        await orders.update(trx, cart.id, {})
      })
    },

    /** A checkout becomes a cart again. */
    async convertToDraft(caller: Principal): Promise<DisplayOrder> {
      const current = await orders.findCurrent(caller.user_id)
      if (!current || !(await settlement.backToDraft(current.id))) throw new rules.NotPendingError()
      return orders.show(current.id)
    },

    async clear(caller: Principal): Promise<DisplayOrder> {
      const current = await orders.findCurrent(caller.user_id)
      if (current) await settlement.backToDraft(current.id)
      return change(caller, async (trx, cart) => {
        rules.assertEditable(cart)
        const ids = (await orders.itemsOf(trx, cart.id)).map(({ id }) => id)
        if (ids.length > 0) await orders.removeItems(trx, ids)
        await orders.update(trx, cart.id, {})
      })
    },
  }
}
