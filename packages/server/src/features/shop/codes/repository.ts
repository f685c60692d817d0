import type { IdPattern } from '@emojid/core'
import {
  type ColumnType,
  type Generated,
  type GeneratedAlways,
  type Insertable,
  type Selectable,
  sql,
  type Updateable,
} from 'kysely'
import { containsPattern } from '../../../platform/database/contains-pattern.ts'
import { readPage } from '../../../platform/database/page.ts'
import { pageBounds } from '../../../platform/http/api/paging.ts'
import type { Database, Tables, Transaction } from '../../../tables.ts'
import type { CodeQuery, UseQuery } from './schema.ts'

export type CodesTable = {
  id: Generated<string>
  name: string
  code_type: 'Discount' | 'RandomYat'
  /** Activated by its text, or by a signature of a listed key. */
  activator: 'RedemptionCode' | 'SecretKey'
  /** The HMAC of the text in lower case, for lookups. */
  code_hmac: Generated<Buffer | null>
  sealed_code: Generated<string | null>
  discount_as_percentage: number | null
  discount_in_cents: number | null
  start_date: Date | null
  end_date: Date | null
  max_uses: number | null
  max_emojis_per_user: number | null
  /** The ids it applies to; null: every id. */
  pattern: ColumnType<IdPattern | null, string | null, string | null>
  organization_id: string | null
  /** Also accepts the weak signatures of released clients. */
  legacy_challenge: boolean
  /** Whether operators allow it to be combined with other codes. */
  combinable: Generated<boolean>
  /** Whether a partner set its terms: then it takes off at most the partner's fee on the order. */
  limited_to_fee: Generated<boolean>
  created_at: Date
  updated_at: Date
  deleted_at: Date | null
  /** The text that searches match, in lower case. */
  searchable: GeneratedAlways<string>
}

export type Code = Selectable<CodesTable>

export type CodePubkeysTable = {
  code_id: string
  pubkey: string
  added_at: Date
  revoked_at: Date | null
}

export type CodeUsesTable = {
  code_id: string
  order_id: string
  user_id: string
  /** The number of ids of the order that it applies to. */
  emojis: number
  /** Null while the use is only reserved. */
  counted_at: Date | null
  created_at: Date
}

export type CodeNoncesTable = {
  code_id: string
  nonce: string
  user_id: string
  used_at: Date
}

export const insert = (trx: Transaction, code: Insertable<Tables['codes']>) =>
  trx.insertInto('codes').values(code).returningAll().executeTakeFirstOrThrow()

export const update = (trx: Transaction, id: string, change: Updateable<Tables['codes']>) =>
  trx.updateTable('codes').set(change).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

export const find = (db: Database, id: string) =>
  db.selectFrom('codes').selectAll().where('id', '=', id).executeTakeFirst()

/** Locks the code against use and change. */
const toChange = (trx: Transaction) => trx.selectFrom('codes').selectAll().forUpdate()

export const findToChange = (trx: Transaction, id: string) =>
  toChange(trx).where('id', '=', id).executeTakeFirst()

export const findTypedToChange = (trx: Transaction, hmacs: readonly Buffer[]) =>
  toChange(trx).where('code_hmac', 'in', hmacs).where('deleted_at', 'is', null).executeTakeFirst()

export const findSealed = (db: Database) =>
  db
    .selectFrom('codes')
    .select(['id', 'sealed_code'])
    .where('sealed_code', 'is not', null)
    .execute()

type Text = Pick<Updateable<Tables['codes']>, 'code_hmac' | 'sealed_code'>

export const replaceText = (db: Database, id: string, text: Text) =>
  db.updateTable('codes').set(text).where('id', '=', id).execute()

export function findPage(db: Database, query: CodeQuery, hmacs: readonly Buffer[]) {
  let matchingQuery = db.selectFrom('codes')
  for (const column of ['code_type', 'organization_id'] as const) {
    const value = query[column]
    if (value !== undefined) matchingQuery = matchingQuery.where(column, '=', value)
  }
  const text = query.q?.trim() ?? ''
  if (text !== '') matchingQuery = matchingQuery.where(mentions(text, hmacs))
  return readPage(db, matchingQuery, query)
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const mentions = (text: string, hmacs: readonly Buffer[]) =>
  uuid.test(text)
    ? sql<boolean>`id = ${text}::uuid`
    : sql<boolean>`(searchable like ${containsPattern(text)} or code_hmac = any (${hmacs}::bytea[]))`

/** Uses per code, on paid and on unpaid orders. */
export const countUses = (db: Database, code_ids: readonly string[]) =>
  db
    .selectFrom('code_uses')
    .select(({ fn }) => [
      'code_id',
      fn.count<number>('counted_at').as('counted'),
      fn.countAll<number>().as('all'),
    ])
    .where('code_id', 'in', code_ids)
    .groupBy('code_id')
    .execute()

export const countOf = async (db: Database, code_id: string, user_id: string): Promise<number> => {
  const countedQuery = db
    .selectFrom('code_uses')
    .select(({ fn }) => fn.countAll().as('uses'))
    .where('code_id', '=', code_id)
    .where('user_id', '=', user_id)
    .where('counted_at', 'is not', null)
  return Number((await countedQuery.executeTakeFirstOrThrow()).uses)
}

const usesBesides = (trx: Transaction, code_id: string, order_id: string) =>
  trx.selectFrom('code_uses').where('code_id', '=', code_id).where('order_id', '!=', order_id)

/** Uses of a code on other orders. */
export const countOthers = async (trx: Transaction, code_id: string, order_id: string) => {
  const countedQuery = usesBesides(trx, code_id, order_id).select(({ fn }) =>
    fn.countAll().as('uses'),
  )
  return Number((await countedQuery.executeTakeFirstOrThrow()).uses)
}

/** Ids that a user has with a code on other orders. */
export const sumEmojis = async (
  trx: Transaction,
  code_id: string,
  order_id: string,
  user_id: string,
) => {
  const summedQuery = usesBesides(trx, code_id, order_id)
    .select(({ fn }) => fn.sum('emojis').as('emojis'))
    .where('user_id', '=', user_id)
  return Number((await summedQuery.executeTakeFirstOrThrow()).emojis ?? 0)
}

/** The codes of an order, the first used first. */
export const findOnOrder = (trx: Transaction, order_id: string) =>
  trx
    .selectFrom('codes')
    .innerJoin('code_uses', 'code_uses.code_id', 'codes.id')
    .selectAll('codes')
    .where('code_uses.order_id', '=', order_id)
    .orderBy('code_uses.created_at')
    .orderBy('codes.id')
    .execute()

/** Returns false if the order already has this code. */
export async function insertUse(
  trx: Transaction,
  use: Insertable<Tables['code_uses']>,
): Promise<boolean> {
  const insertedUse = await trx
    .insertInto('code_uses')
    .values(use)
    .onConflict((conflict) => conflict.doNothing())
    .returning('code_id')
    .executeTakeFirst()
  return insertedUse !== undefined
}

export const removeReserved = (trx: Transaction, order_id: string) =>
  trx
    .deleteFrom('code_uses')
    .where('order_id', '=', order_id)
    .where('counted_at', 'is', null)
    .execute()

/** Returns false if the order has no reserved use of this code. */
export async function removeUse(trx: Transaction, order_id: string, code_id: string) {
  const removedUses = await trx
    .deleteFrom('code_uses')
    .where('order_id', '=', order_id)
    .where('code_id', '=', code_id)
    .where('counted_at', 'is', null)
    .returning('code_id')
    .executeTakeFirst()
  return removedUses !== undefined
}

export const countReserved = (trx: Transaction, order_id: string, at: Date) =>
  trx
    .updateTable('code_uses')
    .set({ counted_at: at })
    .where('order_id', '=', order_id)
    .where('counted_at', 'is', null)
    .execute()

export const findPubkeys = (db: Database, code_ids: readonly string[]) =>
  db
    .selectFrom('code_pubkeys')
    .select(['code_id', 'pubkey'])
    .where('code_id', 'in', code_ids)
    .where('revoked_at', 'is', null)
    .orderBy('added_at')
    .orderBy('pubkey')
    .execute()

/** Also restores a revoked key. */
export const putPubkey = (trx: Transaction, code_id: string, pubkey: string, at: Date) =>
  trx
    .insertInto('code_pubkeys')
    .values({ code_id, pubkey, added_at: at, revoked_at: null })
    .onConflict((conflict) =>
      conflict.columns(['code_id', 'pubkey']).doUpdateSet({ added_at: at, revoked_at: null }),
    )
    .execute()

/** Returns false if the key is not listed. */
export async function revokePubkey(trx: Transaction, code_id: string, pubkey: string, at: Date) {
  const revoked = await trx
    .updateTable('code_pubkeys')
    .set({ revoked_at: at })
    .where('code_id', '=', code_id)
    .where('pubkey', '=', pubkey)
    .where('revoked_at', 'is', null)
    .returning('pubkey')
    .executeTakeFirst()
  return revoked !== undefined
}

/** Returns false if the nonce was used before. */
export async function takeNonce(trx: Transaction, nonce: Insertable<Tables['code_nonces']>) {
  const row = await trx
    .insertInto('code_nonces')
    .values(nonce)
    .onConflict((conflict) => conflict.doNothing())
    .returning('nonce')
    .executeTakeFirst()
  return row !== undefined
}

export async function findUses(db: Database, code_id: string, query: UseQuery) {
  const { limit, offset } = pageBounds(query)
  const direction = query.dir === 'Asc' ? 'asc' : 'desc'
  const uses = db.selectFrom('code_uses as use').where('use.code_id', '=', code_id)
  const [rows, { total }] = await Promise.all([
    uses
      .innerJoin('orders', 'orders.id', 'use.order_id')
      .innerJoin('users', 'users.id', 'use.user_id')
      .select(['use.order_id', 'use.user_id', 'users.email', 'use.created_at', 'use.counted_at'])
      .select(['orders.status as order_status', idsOf(code_id).as('emoji_ids')])
      .select(sql<string>`right(use.order_id::text, 8)`.as('order_number'))
      .orderBy('use.created_at', direction)
      .orderBy('use.order_id', direction)
      .limit(limit)
      .offset(offset)
      .execute(),
    uses
      .select(({ fn }) => fn.countAll<string>().as('total'))
      .executeTakeFirstOrThrow() as Promise<{ total: string }>,
  ])
  return { rows, total: Number(total) }
}

const idsOf = (code_id: string) => sql<string[]>`array(
  select bought.display_format
  from order_items as discount
  join order_items as bought on bought.id = discount.parent_id
  where discount.order_id = use.order_id and discount.code_id = ${code_id}
    and bought.display_format is not null
  order by bought.position)`
