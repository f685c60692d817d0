import { type Insertable, type Kysely, sql } from 'kysely'
import type { Database, Tables, Transaction } from '../../../tables.ts'
import type { NotificationsTable } from './table.ts'

/** Removed at once, so that one statement stays short. */
const removedAtOnce = 20

/**
 * Inserts a notification and removes the oldest beyond `atMost`. Skips locked rows, so that two
 * transactions never wait for each other; the next insertion removes those.
 */
export async function insert(
  trx: Transaction,
  row: Insertable<NotificationsTable>,
  atMost: number,
): Promise<void> {
  await trx
    .with('surplus', (db) =>
      db
        .selectFrom('notifications')
        .select('id')
        .where('user_id', '=', row.user_id)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .offset(atMost - 1)
        .limit(removedAtOnce),
    )
    .with('locked', (db) =>
      db
        .selectFrom('notifications')
        .select('id')
        .where('id', 'in', (eb) => eb.selectFrom('surplus').select('id'))
        .forUpdate()
        .skipLocked(),
    )
    .with('removed', (db) =>
      db
        .deleteFrom('notifications')
        .where('id', 'in', (eb) => eb.selectFrom('locked').select('id')),
    )
    .insertInto('notifications')
    .values(row)
    .execute()
}

export function findNewest(
  db: Database,
  user_id: string,
  { before, limit }: { before: string | undefined; limit: number },
) {
  const newest = db
    .selectFrom('notifications')
    .select(['id', 'kind', 'title', 'text', 'page', 'created_at', 'read_at'])
    .where('user_id', '=', user_id)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
  if (before === undefined) return newest.execute()
  return newest
    .where(
      sql<boolean>`(created_at, id) < (select at.created_at, at.id from notifications as at
        where at.id = ${before} and at.user_id = ${user_id})`,
    )
    .execute()
}

/** Reads the index of unread notifications only. */
export async function countUnread(db: Kysely<Tables>, user_id: string): Promise<number> {
  const { unread } = await db
    .selectFrom('notifications')
    .select(({ fn }) => fn.countAll<string>().as('unread'))
    .where('user_id', '=', user_id)
    .where('read_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(unread)
}

export const markRead = (trx: Transaction, user_id: string, up_to: string, read_at: Date) =>
  trx
    .updateTable('notifications')
    .set({ read_at })
    .where('user_id', '=', user_id)
    .where('read_at', 'is', null)
    .where(
      sql<boolean>`(created_at, id) <= (select at.created_at, at.id from notifications as at
        where at.id = ${up_to} and at.user_id = ${user_id})`,
    )
    .execute()

/** Skips rows that another transaction holds. */
export const removeUnread = (trx: Transaction, user_id: string, kind: string) =>
  trx
    .deleteFrom('notifications')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('notifications')
        .select('id')
        .where('user_id', '=', user_id)
        .where('kind', '=', kind)
        .where('read_at', 'is', null)
        .forUpdate()
        .skipLocked(),
    )
    .execute()

export async function removeByUser(trx: Transaction, user_id: string): Promise<void> {
  await trx.deleteFrom('notifications').where('user_id', '=', user_id).execute()
}

export const deleteBefore = (db: Database, moment: Date) =>
  db.deleteFrom('notifications').where('created_at', '<', moment).execute()

/** Notifications that arrived while their account was deleted. */
export const deleteOfDeleted = (db: Database) =>
  db
    .deleteFrom('notifications')
    .where('user_id', 'in', (eb) =>
      eb.selectFrom('users').select('id').where('deleted_at', 'is not', null),
    )
    .execute()
