import type { Generated, Insertable, NotNull } from 'kysely'
import { readPage } from '../../../platform/database/page.ts'
import type { Database, Tables, Transaction } from '../../../tables.ts'
import type { InterestQuery } from './routes.ts'

/** A user who wants an email when an id becomes available. */
export type InterestsTable = {
  id: Generated<string>
  user_id: string
  emoji_id: string
  created_at: Date
  updated_at: Date
  notified_at: Date | null
}

/** Returns undefined if the user already has this interest. */
export const insert = (trx: Transaction, interest: Insertable<Tables['interests']>) =>
  trx
    .insertInto('interests')
    .values(interest)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()

const ofUser = (db: Database, user_id: string) =>
  db.selectFrom('interests').where('user_id', '=', user_id)

export const findPage = (db: Database, user_id: string, query: InterestQuery) =>
  readPage(db, ofUser(db, user_id), query)

export const find = (db: Database, user_id: string, emoji_id: string) =>
  ofUser(db, user_id).selectAll().where('emoji_id', '=', emoji_id).executeTakeFirst()

export async function countOf(trx: Transaction, user_id: string): Promise<number> {
  const { count } = await ofUser(trx, user_id)
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export const remove = (trx: Transaction, user_id: string, emoji_id: string) =>
  trx
    .deleteFrom('interests')
    .where('user_id', '=', user_id)
    .where('emoji_id', '=', emoji_id)
    .returningAll()
    .executeTakeFirst()

export const removeOfUser = (trx: Transaction, user_id: string) =>
  trx.deleteFrom('interests').where('user_id', '=', user_id).execute()

/**
 * The owner of the id. The lock delays a release until the transaction ends, so that the release
 * sees the new interest.
 */
export const findOwner = (trx: Transaction, emoji_id: string) =>
  trx
    .selectFrom('emoji_ids as id')
    .leftJoin('keys as key', 'key.pubkey', 'id.pubkey')
    .select('key.user_id')
    .where('id.emoji_id', '=', emoji_id)
    .forKeyShare('id')
    .executeTakeFirst()

export async function isAwaited(trx: Transaction, emoji_id: string): Promise<boolean> {
  const one = await trx
    .selectFrom('interests')
    .select('id')
    .where('emoji_id', '=', emoji_id)
    .where('notified_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return one !== undefined
}

/**
 * Marks watchers with a confirmed address as notified, first come, first served. Concurrent calls
 * get different watchers.
 */
export const claimAwaiting = (trx: Transaction, emoji_id: string, count: number, at: Date) =>
  trx
    .with('waiting', (db) =>
      db
        .selectFrom('interests as interest')
        .innerJoin('users as user', 'user.id', 'interest.user_id')
        .select(['interest.id', 'user.email'])
        .where('interest.emoji_id', '=', emoji_id)
        .where('interest.notified_at', 'is', null)
        .where('user.email', 'is not', null)
        .where('user.email_verified_at', 'is not', null)
        .where('user.deactivated_at', 'is', null)
        .orderBy('interest.created_at')
        .limit(count)
        .forUpdate('interest')
        .skipLocked(),
    )
    .updateTable('interests')
    .from('waiting')
    .set({ notified_at: at, updated_at: at })
    .whereRef('interests.id', '=', 'waiting.id')
    .returning(['interests.user_id', 'waiting.email'])
    .$narrowType<{ email: NotNull }>()
    .execute()
