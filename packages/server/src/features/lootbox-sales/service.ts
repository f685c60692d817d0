import type { Database, Transaction } from '../../tables.ts'
import type { Offer } from '../catalog/index.ts'
import type { LootboxTypes } from '../lootbox-types/index.ts'
import type { Box, Lootboxes } from '../lootboxes/index.ts'

export type LootboxSales = ReturnType<typeof createLootboxSales>

type Options = {
  db: Database
  lootboxes: Lootboxes
  lootboxTypes: LootboxTypes
  now: () => Date
  /** Whether boxes can be bought at all. */
  isSold: boolean
}
type Holder = { order_id: string; expires_at: Date }
type Buyer = { id: string; user_id: string }

/** Boxes as orders buy them: unopened, at the price of their type. */
export function createLootboxSales({ db, lootboxes, lootboxTypes, now, isSold }: Options) {
  const offersFor = async (
    from: Database | Transaction,
    ids: readonly string[],
    availabilityOf: (box: Box) => Offer['availability'],
  ) => {
    const found = new Map((await lootboxes.findAll(from, ids)).map((box) => [box.id, box]))
    const typeIds = [...found.values()].flatMap(({ lootbox_type_id }) => lootbox_type_id ?? [])
    const types = await lootboxTypes.findAll(from, typeIds)
    return new Map<string, Offer>(
      ids.map((id) => {
        const box = found.get(id)
        const price = types.get(box?.lootbox_type_id ?? '')?.price_in_cents ?? null
        const isOffered = isSold && box?.status === 'Available' && price !== null
        return [id, { price, availability: isOffered ? availabilityOf(box) : 'NoPrice' }]
      }),
    )
  }

  return {
    /** For how much boxes are sold, and whether now. */
    offers: (ids: readonly string[]) =>
      offersFor(db, ids, ({ held_until }) =>
        held_until && held_until > now() ? 'InCart' : 'Available',
      ),

    /** What boxes cost now; `null` for those that are not sold. */
    async pricesOf(from: Database | Transaction, ids: readonly string[]) {
      const offers = await offersFor(from, ids, () => 'Available')
      return new Map(
        [...offers].map(([id, { availability, price }]) => [
          id,
          availability === 'Available' ? price : null,
        ]),
      )
    },

    /** Keeps boxes for an order; tells of each whether it is kept. Always in the same order. */
    async hold(trx: Transaction, { order_id, expires_at }: Holder, ids: readonly string[]) {
      const kept = new Set<string>()
      for (const id of ids.toSorted()) {
        const hold = { order_id, held_until: expires_at, at: now() }
        if (isSold && (await lootboxes.keepFor(trx, id, hold))) kept.add(id)
      }
      return offersFor(trx, ids, ({ id }) => (kept.has(id) ? 'Available' : 'InCart'))
    },

    extendHolds: lootboxes.extendHolds,
    unhold: lootboxes.unhold,

    /** Gives the boxes kept for an order to its buyer; tells `false` when one is not to be had. */
    async grantHeld(trx: Transaction, { id, user_id }: Buyer, ids: readonly string[]) {
      if (ids.length === 0) return true
      const sold = new Set((await lootboxes.sell(trx, id, user_id, now())).map((box) => box.id))
      return ids.every((wanted) => sold.has(wanted))
    },

    /** For sale again; tells `false` when the buyer opened it, or has it no more. */
    async takeBack(trx: Transaction, { id: order_id, user_id }: Buyer, id: string) {
      const sold = { order_id, owner_id: user_id, at: now() }
      return (await lootboxes.takeBack(trx, id, sold)) !== undefined
    },

    /** Freezes or unfreezes the unopened boxes of an order. */
    setFrozen: lootboxes.setFrozen,
    find: (from: Database | Transaction, ids: readonly string[]) => lootboxes.findAll(from, ids),

    /** What a receipt calls boxes. */
    async namesOf(from: Database | Transaction, ids: readonly string[]) {
      const found = await lootboxes.findAll(from, ids)
      const typeIds = found.flatMap(({ lootbox_type_id }) => lootbox_type_id ?? [])
      const types = await lootboxTypes.findAll(from, typeIds)
      return new Map(
        found.map(({ id, status, lootbox_type_id }) => {
          const name = types.get(lootbox_type_id ?? '')?.name
          const waits = status === 'Owned' ? ', waits for you to open it' : ''
          return [id, name === undefined ? `Lootbox${waits}` : `${name} (lootbox${waits})`]
        }),
      )
    },

    /** Who has which of these boxes, and whether it was opened. */
    async ownersOf(from: Database | Transaction, ids: readonly string[]) {
      const found = await lootboxes.findAll(from, ids)
      return new Map(
        found.map(({ id, owner_id, order_id, status }) => [
          id,
          { user_id: owner_id, order_id, opened: status === 'Used' },
        ]),
      )
    },
  }
}
