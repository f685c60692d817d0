import type { BoxConfig, BoxRecipe, Rejection } from '@emojid/core'
import {
  type ColumnType,
  type Generated,
  type GeneratedAlways,
  type Insertable,
  type RawBuilder,
  type Selectable,
  sql,
  type Updateable,
} from 'kysely'
import { containsPattern, lowerText } from '../../platform/database/contains-pattern.ts'
import { readPage } from '../../platform/database/page.ts'
import { rewrapColumn } from '../../platform/database/rewrap.ts'
import type { Database, Tables, Transaction } from '../../tables.ts'
import type { LootboxQuery, Status } from './schema.ts'

/** A box of ids that its owner sees only after opening. */
export type LootboxesTable = {
  id: string
  /** Null for a box that was filled by hand. */
  lootbox_type_id: string | null
  status: Status
  /** Display formats, with the prices and scores when the box was filled. */
  yats: string[]
  prices: number[]
  scores: number[]
  owner_id: string | null
  /** In lower case. The account that confirms it becomes the owner. */
  owner_email: string | null
  sealed_seed: string
  seed_hash: string
  contents_hash: string
  recipe: ColumnType<BoxRecipe | null, string | null, never>
  /** Drawn ids that were not available. */
  rejected: ColumnType<Rejection[], string, string>
  /** The order that holds it until then, or that bought it. */
  order_id: string | null
  held_until: Date | null
  /** Since when the payment for it is disputed. */
  frozen_at: ColumnType<Date | null, Date | null | undefined, Date | null>
  created_at: Date
  updated_at: Date
  opened_at: Date | null
  /** The text that searches match, in lower case. */
  searchable: GeneratedAlways<string>
}
export type Box = Selectable<LootboxesTable>

/** How boxes are drawn; never changed. */
export type LootboxTypesTable = {
  id: Generated<string>
  name: string
  description: string
  config: ColumnType<BoxConfig, string, never>
  /** The price of its boxes; null: not for sale. */
  price_in_cents: number | null
  created_at: Date
  /** Since when it draws no more boxes, because the ids of one of its ranges ran out. */
  exhausted_at: Date | null
  /** Its boxes that operators deleted; counted since the column exists. */
  discarded_boxes: Generated<number>
}
export type LootboxType = Selectable<LootboxTypesTable>

type Change = Updateable<Tables['lootboxes']> & { updated_at: Date }

export const insert = (trx: Transaction, box: Insertable<Tables['lootboxes']>) =>
  trx.insertInto('lootboxes').values(box).returningAll().executeTakeFirstOrThrow()

export const find = (db: Database, id: string) =>
  db.selectFrom('lootboxes').selectAll().where('id', '=', id).executeTakeFirst()

export const findAll = (db: Database, ids: readonly string[]) =>
  db.selectFrom('lootboxes').selectAll().where('id', 'in', ids).execute()

/** Locks the box. */
export const findToChange = (trx: Transaction, id: string) =>
  trx.selectFrom('lootboxes').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** Returns undefined unless the box has the expected status. */
export const update = (trx: Transaction, id: string, from: Status, change: Change) =>
  trx
    .updateTable('lootboxes')
    .set(change)
    .where('id', '=', id)
    .where('status', '=', from)
    .returningAll()
    .executeTakeFirst()

export const remove = (trx: Transaction, id: string, from: Status) =>
  trx
    .deleteFrom('lootboxes')
    .where('id', '=', id)
    .where('status', '=', from)
    .returning('id')
    .executeTakeFirst()

/** Boxes for an email address pass to the account that confirms it. */
export const claim = (db: Database, user_id: string, at: Date) =>
  db
    .updateTable('lootboxes')
    .from('users')
    .set({ owner_id: user_id, owner_email: null, updated_at: at })
    .where('users.id', '=', user_id)
    .where('users.email_verified_at', 'is not', null)
    .where('users.deactivated_at', 'is', null)
    .where('lootboxes.status', '=', 'Owned')
    .where('lootboxes.owner_email', '=', sql<string>`lower(users.email)`)
    .execute()

export async function hasUnopened(db: Database, user_id: string): Promise<boolean> {
  const box = await db
    .selectFrom('lootboxes')
    .select('id')
    .where('owner_id', '=', user_id)
    .where('status', '=', 'Owned')
    .limit(1)
    .executeTakeFirst()
  return box !== undefined
}

/** The boxes of an owner, those for sale to a user, or all. */
export async function findPage(
  db: Database,
  query: LootboxQuery,
  forSaleTo?: { user_id: string; at: Date },
) {
  const { owner_id, status, lootbox_type_id } = query
  const text = query.q?.trim() ?? ''
  const search = text === '' ? undefined : matchesText(db, text, await findSomeOwners(db, text))
  const ofPricedTypes = db
    .selectFrom('lootbox_types')
    .select('id')
    .where('price_in_cents', 'is not', null)
  const matchingQuery = db
    .selectFrom('lootboxes')
    .$if(owner_id !== undefined, (rows) => rows.where('owner_id', '=', owner_id ?? ''))
    .$if(status !== undefined, (rows) => rows.where('status', '=', status ?? 'Draft'))
    .$if(lootbox_type_id !== undefined, (rows) =>
      rows.where('lootbox_type_id', '=', lootbox_type_id ?? ''),
    )
    .$call((rows) => (search ? rows.where(search) : rows))
  if (!forSaleTo) return readPage(db, matchingQuery, query)
  const { user_id, at } = forSaleTo
  const ownOrders = db.selectFrom('orders').select('id').where('user_id', '=', user_id)
  const forSale = matchingQuery
    .where('lootbox_type_id', 'in', ofPricedTypes)
    .where(({ or, eb }) =>
      or([
        eb('held_until', 'is', null),
        eb('held_until', '<=', at),
        eb('order_id', 'in', ownOrders),
      ]),
    )
  return readPage(db, forSale, query)
}

const fewOwners = 5_000

/** Users with such an email address: all of them, if they are few. */
const findSomeOwners = (db: Database, text: string) =>
  withAddress(db, text)
    .limit(fewOwners + 1)
    .execute()

/** The indexed text of users contains more than their email addresses. */
const withAddress = (db: Database, text: string) =>
  db
    .selectFrom('users')
    .select('users.id')
    .where('users.searchable', 'like', containsPattern(text))
    .where(sql<boolean>`strpos(lower(users.email), ${lowerText(text)}) > 0`)

/** The boxes of a few owners are found by an index; for many owners, all boxes are scanned. */
const matchesText = (db: Database, text: string, some: readonly { id: string }[]) => {
  const owners =
    some.length > fewOwners
      ? sql`in ${withAddress(db, text)}`
      : sql`= any(${some.map(({ id }) => id)}::uuid[])`
  return sql<boolean>`(searchable like ${containsPattern(text)} or owner_id ${owners})`
}

/** Holds a box for an order; returns undefined if it is not for sale or held for another order. */
export const hold = (
  trx: Transaction,
  id: string,
  { order_id, held_until, at }: { order_id: string; held_until: Date; at: Date },
) =>
  trx
    .updateTable('lootboxes')
    .set({ order_id, held_until, updated_at: at })
    .where('id', '=', id)
    .where('status', '=', 'Available')
    .where(({ or, eb }) =>
      or([eb('held_until', 'is', null), eb('held_until', '<=', at), eb('order_id', '=', order_id)]),
    )
    .returningAll()
    .executeTakeFirst()

const updateHeldFor = (trx: Transaction, order_id: string) =>
  trx.updateTable('lootboxes').where('order_id', '=', order_id).where('status', '=', 'Available')

export const setHolds = (trx: Transaction, order_id: string, held_until: Date) =>
  updateHeldFor(trx, order_id).set({ held_until }).execute()

export const removeHolds = (trx: Transaction, order_id: string) =>
  updateHeldFor(trx, order_id).set({ order_id: null, held_until: null }).execute()

/** Grants the boxes held for an order to its buyer, and returns them. */
export const sell = (trx: Transaction, order_id: string, owner_id: string, at: Date) =>
  updateHeldFor(trx, order_id)
    .set({ status: 'Owned', owner_id, held_until: null, updated_at: at })
    .returning('id')
    .execute()

/** Returns undefined if the buyer has opened it or no longer owns it. */
export const takeBack = (
  trx: Transaction,
  id: string,
  { order_id, owner_id, at }: { order_id: string; owner_id: string; at: Date },
) =>
  trx
    .updateTable('lootboxes')
    .set({ status: 'Available', owner_id: null, order_id: null, frozen_at: null, updated_at: at })
    .where('id', '=', id)
    .where('order_id', '=', order_id)
    .where('owner_id', '=', owner_id)
    .where('status', '=', 'Owned')
    .returning('id')
    .executeTakeFirst()

/** Freezes or unfreezes the unopened boxes of an order. */
export const setFrozen = (trx: Transaction, order_id: string, frozen_at: Date | null) =>
  trx
    .updateTable('lootboxes')
    .set({ frozen_at })
    .where('order_id', '=', order_id)
    .where('status', '=', 'Owned')
    .execute()

export const rewrap = (db: Database, anew: (id: string, sealedText: string) => string) =>
  rewrapColumn(db, { table: 'lootboxes', column: 'sealed_seed' }, anew)

export const insertType = (trx: Transaction, type: Insertable<Tables['lootbox_types']>) =>
  trx.insertInto('lootbox_types').values(type).returningAll().executeTakeFirstOrThrow()

export const findNewestTypes = (db: Database, limit: number) =>
  db
    .selectFrom('lootbox_types')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()

/** Serialises the draws of a type; boxes that refer to it are not blocked. */
export const findTypeToDraw = (trx: Transaction, id: string) =>
  trx
    .selectFrom('lootbox_types')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()

export const setExhausted = (trx: Transaction, id: string, exhausted_at: Date) =>
  trx.updateTable('lootbox_types').set({ exhausted_at }).where('id', '=', id).execute()

export const findTypes = (db: Database, ids: readonly string[]) =>
  db.selectFrom('lootbox_types').selectAll().where('id', 'in', ids).execute()

/** Counts a deleted box. A proof publishes the number: deleting boxes until one suits shows. */
export const countDiscarded = (trx: Transaction, lootbox_type_id: string) =>
  trx
    .updateTable('lootbox_types')
    .set(({ eb }) => ({ discarded_boxes: eb('discarded_boxes', '+', 1) }))
    .where('id', '=', lootbox_type_id)
    .execute()

/** The boxes of a type by what became of them. */
export const countBoxes = (db: Database, lootbox_type_id: string) => {
  const countWhere = (condition: RawBuilder<unknown>) =>
    sql<number>`count(box.id) filter (where ${condition})::integer`
  const isOwned = sql`box.status in ('Owned', 'Used')`
  return db
    .selectFrom('lootbox_types as type')
    .leftJoin('lootboxes as box', 'box.lootbox_type_id', 'type.id')
    .select([
      'type.discarded_boxes as discarded',
      countWhere(sql`box.status = 'Draft'`).as('withheld'),
      countWhere(sql`box.status = 'Available'`).as('offered'),
      countWhere(sql`${isOwned} and box.order_id is not null`).as('sold'),
      countWhere(sql`${isOwned} and box.order_id is null`).as('given'),
    ])
    .where('type.id', '=', lootbox_type_id)
    .groupBy('type.id')
    .executeTakeFirstOrThrow()
}
