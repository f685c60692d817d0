import { type Insertable, sql } from 'kysely'
import type { Database, Tables, Transaction } from '../../../tables.ts'

/** A key pair that may own ids: of a user or of an organization. */
export type KeysTable = {
  pubkey: string
  user_id: string | null
  organization_id: string | null
  /** Null if only the owner has the private key. */
  sealed_private_key: string | null
  /** When the owner proved to have the private key. */
  proven_at: Date | null
  created_at: Date
}

/** Returns false if the key is listed already. */
export async function insert(trx: Transaction, key: Insertable<Tables['keys']>): Promise<boolean> {
  const insertedKey = await trx
    .insertInto('keys')
    .values(key)
    .onConflict((conflict) => conflict.doNothing())
    .returning('pubkey')
    .executeTakeFirst()
  return insertedKey !== undefined
}

export const find = (db: Database, pubkey: string) =>
  db.selectFrom('keys').selectAll().where('pubkey', '=', pubkey).executeTakeFirst()

export const findAll = (db: Database, pubkeys: readonly string[]) =>
  db.selectFrom('keys').selectAll().where(sql<boolean>`pubkey = any (${pubkeys}::text[])`).execute()

export const findToChange = (trx: Transaction, pubkey: string) =>
  trx.selectFrom('keys').selectAll().where('pubkey', '=', pubkey).forUpdate().executeTakeFirst()

export const findOfUsers = (db: Database, user_ids: readonly string[]) =>
  db
    .selectFrom('keys')
    .select(['pubkey', 'user_id'])
    .where('user_id', 'in', user_ids)
    .orderBy('created_at')
    .orderBy('pubkey')
    .execute()

export const findOwn = (db: Database, user_id: string) =>
  db
    .selectFrom('keys')
    .select(['pubkey', 'sealed_private_key', 'proven_at', 'created_at'])
    .where('user_id', '=', user_id)
    .orderBy('created_at')
    .orderBy('pubkey')
    .execute()

export const findOfOrganization = (db: Database, organization_id: string) =>
  db
    .selectFrom('keys')
    .select('pubkey')
    .where('organization_id', '=', organization_id)
    .orderBy('created_at')
    .execute()

/**
 * Moves a key to the user who proved it. A private key that was sealed for another user does not
 * unseal for this one.
 */
export const prove = (trx: Transaction, pubkey: string, user_id: string, at: Date) =>
  trx
    .updateTable('keys')
    .set({ user_id, organization_id: null, proven_at: at, created_at: at })
    .where('pubkey', '=', pubkey)
    .execute()

/** Removes keys whose private key is elsewhere, unless an id is bound to one. */
export const removeForeign = (trx: Transaction, user_id: string, since = new Date(0)) =>
  trx
    .deleteFrom('keys')
    .where('user_id', '=', user_id)
    .where('sealed_private_key', 'is', null)
    .where('created_at', '>=', since)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('emoji_ids')
            .select('emoji_id')
            .whereRef('emoji_ids.pubkey', '=', 'keys.pubkey'),
        ),
      ),
    )
    .execute()

export const findUser = (db: Database, id: string) =>
  db.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst()

/** Concurrent requests that add a key for this user wait. Returns undefined for a deleted account. */
export const lockUser = (trx: Transaction, id: string) =>
  trx
    .selectFrom('users')
    .select(['id', 'role'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()

export const findSealed = (db: Database) =>
  db
    .selectFrom('keys')
    .select(['pubkey', 'user_id', 'organization_id', 'sealed_private_key'])
    .where('sealed_private_key', 'is not', null)
    .execute()

export const reseal = (db: Database, pubkey: string, from: string, to: string) =>
  db
    .updateTable('keys')
    .set({ sealed_private_key: to })
    .where('pubkey', '=', pubkey)
    .where('sealed_private_key', '=', from)
    .execute()
