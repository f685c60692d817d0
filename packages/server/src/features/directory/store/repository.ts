import type { EmojiId } from '@emojid/core'
import { type ColumnType, type Generated, sql } from 'kysely'
import type { Database, Transaction } from '../../../tables.ts'
import type { StoreKey } from './schema.ts'

/** Data that an owner stores with an id, under one of a few keys. */
export type StoreEntriesTable = {
  emoji_id: string
  key: string
  data: ColumnType<unknown, string, string>
  is_locked: Generated<boolean>
  locked_future_writes_at: Date | null
  created_at: Generated<Date>
  updated_at: Generated<Date>
}

/** The id's dates and its entries under the keys; `undefined` when it is not registered. */
export async function findEntries(db: Database, id: EmojiId, keys: readonly StoreKey[]) {
  const rows = await db
    .selectFrom('emoji_ids as e')
    .leftJoin('store_entries as s', (join) =>
      join.onRef('s.emoji_id', '=', 'e.emoji_id').on('s.key', 'in', keys),
    )
    .select(['e.created_at as id_created_at', 'e.suspended_at', 's.key', 's.is_locked'])
    // Text, because parsing 27,000 members takes longer than sending them.
    .select(sql<string | null>`s.data::text`.as('data'))
    .select(['s.created_at', 's.updated_at', 's.locked_future_writes_at'])
    .where('e.emoji_id', '=', id)
    .execute()
  const [first] = rows
  return first && { created_at: first.id_created_at, suspended_at: first.suspended_at, rows }
}

/** Changes with every change of an entry under the keys, and stands for their data. */
export async function findStamp(db: Database, id: EmojiId, keys: readonly StoreKey[]) {
  const rows = await db
    .selectFrom('store_entries')
    .select(['key', sql<string>`xmin::text`.as('writer'), 'updated_at'])
    .where('emoji_id', '=', id)
    .where('key', 'in', keys)
    .orderBy('key')
    .execute()
  return JSON.stringify(rows)
}

type NewEntry = { emoji_id: string; key: StoreKey; data: string }

export async function putEntry(trx: Transaction, entry: NewEntry, at: Date) {
  const { data } = entry
  await trx
    .insertInto('store_entries')
    .values({ ...entry, created_at: at, updated_at: at })
    .onConflict((conflict) =>
      conflict.columns(['emoji_id', 'key']).doUpdateSet({ data, updated_at: at }),
    )
    .execute()
}

export const findEntry = (trx: Transaction, id: EmojiId, key: StoreKey) =>
  trx
    .selectFrom('store_entries')
    .select(['is_locked', 'locked_future_writes_at', 'updated_at'])
    .where('emoji_id', '=', id)
    .where('key', '=', key)
    .executeTakeFirst()

type Lock = { is_locked: boolean; locked_future_writes_at: Date | null }

export const lockEntry = (trx: Transaction, id: EmojiId, key: StoreKey, lock: Lock, at: Date) =>
  trx
    .insertInto('store_entries')
    .values({ emoji_id: id, key, data: '{}', ...lock, created_at: at, updated_at: at })
    .onConflict((conflict) => conflict.columns(['emoji_id', 'key']).doUpdateSet(lock))
    .execute()

export async function removeEntries(trx: Transaction, id: EmojiId): Promise<void> {
  await trx.deleteFrom('store_entries').where('emoji_id', '=', id).execute()
}
