import type { Insertable, Kysely } from 'kysely'
import type { Tables, Transaction } from '../../../tables.ts'

type Db = Kysely<Tables>

export const insert = (trx: Transaction, type: Insertable<Tables['lootbox_types']>) =>
  trx.insertInto('lootbox_types').values(type).returningAll().executeTakeFirstOrThrow()

export const findNewest = (db: Db, limit: number) =>
  db
    .selectFrom('lootbox_types')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()

/** One after the other draws by a type; boxes that refer to it wait for nobody. */
export const findToDraw = (trx: Transaction, id: string) =>
  trx
    .selectFrom('lootbox_types')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()

export const setExhausted = (trx: Transaction, id: string, exhausted_at: Date) =>
  trx.updateTable('lootbox_types').set({ exhausted_at }).where('id', '=', id).execute()

export const findAll = (db: Db, ids: readonly string[]) =>
  db.selectFrom('lootbox_types').selectAll().where('id', 'in', ids).execute()
