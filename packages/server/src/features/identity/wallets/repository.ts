import type { Insertable } from 'kysely'
import type { Database, Tables, Transaction } from '../../../tables.ts'

export const insert = (trx: Transaction, wallet: Insertable<Tables['wallets']>) =>
  trx.insertInto('wallets').values(wallet).execute()

export const findOfUser = (db: Database | Transaction, user_id: string) =>
  db
    .selectFrom('wallets')
    .select(['eth_address', 'user_id', 'proven'])
    .where('user_id', '=', user_id)
    .orderBy('created_at')
    .execute()

export const prove = (trx: Transaction, user_id: string, eth_address: string, created_at: Date) =>
  trx
    .updateTable('wallets')
    .set({ proven: true, created_at })
    .where('user_id', '=', user_id)
    .where('eth_address', '=', eth_address)
    .execute()

export const remove = (trx: Transaction, user_id: string, eth_address: string) =>
  trx
    .deleteFrom('wallets')
    .where('user_id', '=', user_id)
    .where('eth_address', '=', eth_address)
    .execute()

export const removeOfUser = (trx: Transaction, user_id: string, since = new Date(0)) =>
  trx
    .deleteFrom('wallets')
    .where('user_id', '=', user_id)
    .where('created_at', '>=', since)
    .execute()
