import type { Insertable, Kysely } from 'kysely'
import type { Tables, Transaction } from '../../tables.ts'

export const insert = (trx: Transaction, key: Insertable<Tables['keys']>) =>
  trx.insertInto('keys').values(key).execute()

export const findOfUsers = (db: Kysely<Tables>, user_ids: readonly string[]) =>
  db
    .selectFrom('keys')
    .select(['pubkey', 'user_id'])
    .where('user_id', 'in', user_ids)
    .orderBy('created_at')
    .orderBy('pubkey')
    .execute()
