import type { Insertable, Kysely } from 'kysely'
import type { Tables, Transaction } from '../../tables.ts'

type Db = Kysely<Tables>

/** Takes the id; tells `false` when somebody has it. */
export async function insert(
  trx: Transaction,
  id: Insertable<Tables['emoji_ids']>,
): Promise<boolean> {
  const taken = await trx
    .insertInto('emoji_ids')
    .values(id)
    .onConflict((conflict) => conflict.doNothing())
    .returning('emoji_id')
    .executeTakeFirst()
  return taken !== undefined
}

const withOwner = (db: Db) =>
  db
    .selectFrom('emoji_ids as id')
    .leftJoin('keys as key', 'key.pubkey', 'id.pubkey')
    .selectAll('id')
    .select(['key.user_id', 'key.organization_id'])

export const find = (db: Db, id: string) =>
  withOwner(db).where('id.emoji_id', '=', id).executeTakeFirst()

/** Whoever else wants to change the id, or what is behind it, waits. */
export const findToChange = (trx: Transaction, id: string) =>
  withOwner(trx).where('id.emoji_id', '=', id).forUpdate('id').executeTakeFirst()

export const findOf = (db: Db, owner: { user_id: string } | { organization_id: string }) =>
  withOwner(db)
    .where(({ eb }) =>
      'user_id' in owner
        ? eb('key.user_id', '=', owner.user_id)
        : eb('key.organization_id', '=', owner.organization_id),
    )
    .orderBy('id.created_at')
    .orderBy('id.emoji_id')
    .execute()

export const findOfUsers = (db: Db, user_ids: readonly string[]) =>
  db
    .selectFrom('emoji_ids as id')
    .innerJoin('keys as key', 'key.pubkey', 'id.pubkey')
    .select(['id.display_format', 'key.user_id'])
    .where('key.user_id', 'in', user_ids)
    .orderBy('id.created_at')
    .execute()

export const findTaken = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('emoji_ids')
    .select(['emoji_id', 'minted', 'generation'])
    .where('emoji_id', 'in', ids)
    .execute()

/** Kept for somebody else right now. */
export const findHeld = (db: Db, ids: readonly string[], user_id: string | undefined, at: Date) =>
  db
    .selectFrom('holds')
    .select('emoji_id')
    .where('emoji_id', 'in', ids)
    .where('expires_at', '>', at)
    .$if(user_id !== undefined, (query) => query.where('user_id', '!=', user_id ?? ''))
    .execute()

export const findNewest = (db: Db, limit: number) =>
  db
    .selectFrom('emoji_ids')
    .select('emoji_id')
    .where('pubkey', 'is not', null)
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute()

/** Records, store entries and history go with it. */
export const remove = (trx: Transaction, id: string) =>
  trx.deleteFrom('emoji_ids').where('emoji_id', '=', id).execute()

export const setDisplay = (trx: Transaction, id: string, display_format: string, at: Date) =>
  trx
    .updateTable('emoji_ids')
    .set({ display_format, updated_at: at })
    .where('emoji_id', '=', id)
    .execute()
