import type { Insertable, Kysely } from 'kysely'
import type { Tables, Transaction } from '../../tables.ts'

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

export const findAll = (db: Db, ids: readonly string[]) =>
  db.selectFrom('lootbox_types').selectAll().where('id', 'in', ids).execute()
