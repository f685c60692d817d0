import { type ColumnType, type Generated, type Selectable, sql } from 'kysely'
import type { Database, Transaction } from '../../../tables.ts'
import type { Difference, Standing, Terms } from './rules.ts'

/** The delay of changed payment addresses of an id. */
export type DelayLocksTable = {
  emoji_id: string
  hours: number
  /** A planned lower number and when it takes effect; 0 is off. */
  next_hours: number | null
  next_at: Date | null
  /** Null after the id was handed on. */
  asked_by: string | null
  version: Generated<number>
}

/** A change of payment records that has not taken effect yet. */
export type WaitingChangesTable = {
  emoji_id: string
  number: Generated<number>
  /** Hashes of the removed records. */
  removed: ColumnType<string[], string, string>
  inserted: ColumnType<unknown, string, string>
  /** Hashes of the payment records in their order after the change. */
  places: ColumnType<string[] | null, string | null, string | null>
  /** The recency of payment records that are more recent than their places say, by hash. */
  recency: ColumnType<{ [hash: string]: number } | null, string | null, never>
  actor_id: string | null
  /** The author acts for the owner: no emailed link cancels it. */
  by_operator: ColumnType<boolean, boolean, never>
  signed: ColumnType<{ nonce: string; signature: string } | null, string | null, never>
  asked_at: Date
  changes_at: Date
}

export type LockRow = Selectable<DelayLocksTable>
export type WaitingRow = Selectable<WaitingChangesTable>

export const findLock = (db: Database, id: string) =>
  db.selectFrom('delay_locks').selectAll().where('emoji_id', '=', id).executeTakeFirst()

/** Returns the new version. */
export async function putLock(
  trx: Transaction,
  emoji_id: string,
  terms: Terms,
  asked_by: string | null,
): Promise<number> {
  const { version } = await trx
    .insertInto('delay_locks')
    .values({ emoji_id, ...terms, asked_by })
    .onConflict((conflict) =>
      conflict
        .column('emoji_id')
        .doUpdateSet({ ...terms, asked_by, version: sql`nextval('record_versions')` }),
    )
    .returning('version')
    .executeTakeFirstOrThrow()
  return version
}

export const removeLock = (trx: Transaction, id: string) =>
  trx.deleteFrom('delay_locks').where('emoji_id', '=', id).execute()

export const findWaiting = (db: Database, id: string) =>
  db.selectFrom('waiting_changes').selectAll().where('emoji_id', '=', id).executeTakeFirst()

/**
 * The lock, the waiting change, and the length of the records without sending them: in one
 * statement, because every edit runs it.
 */
export async function findStanding(trx: Transaction, id: string): Promise<Standing> {
  const { rows } = await sql<{ lock: LockRow | null; waits: boolean; record_bytes: number }>`
    select (select to_json(l) from delay_locks l where l.emoji_id = ${id}) as lock,
      exists (select from waiting_changes w where w.emoji_id = ${id}) as waits,
      coalesce((select octet_length(records::text) from record_sets where emoji_id = ${id}), 0)
        as record_bytes`.execute(trx)
  const [{ lock, waits, record_bytes } = { lock: null, waits: false, record_bytes: 0 }] = rows
  const next_at = lock?.next_at ? new Date(lock.next_at) : null
  return {
    lock: lock ? { ...lock, next_at } : undefined,
    waiting: waits ? await findWaiting(trx, id) : undefined,
    record_bytes,
  }
}

type NewWaiting = Difference & {
  emoji_id: string
  actor_id: string
  by_operator: boolean
  signed: { nonce: string; signature: string } | null
  asked_at: Date
  changes_at: Date
}

/** Returns its number. */
export async function insertWaiting(trx: Transaction, waitingChange: NewWaiting): Promise<number> {
  const { removed, inserted, places, recency, signed, ...rest } = waitingChange
  const { number } = await trx
    .insertInto('waiting_changes')
    .values({
      ...rest,
      removed: JSON.stringify(removed),
      inserted: JSON.stringify(inserted),
      places: places && JSON.stringify(places),
      recency: recency && JSON.stringify(recency),
      signed: signed && JSON.stringify(signed),
    })
    .returning('number')
    .executeTakeFirstOrThrow()
  return number
}

export const shrinkWaiting = (trx: Transaction, id: string, { inserted, places }: Difference) =>
  trx
    .updateTable('waiting_changes')
    .set({ inserted: JSON.stringify(inserted), places: places && JSON.stringify(places) })
    .where('emoji_id', '=', id)
    .execute()

/** Waiting changes, and planned lower delays, wait for the whole delay from now on; returns how many. */
export async function restartDelays(db: Database, now: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with changed as (
      update waiting_changes w set changes_at =
        greatest(w.changes_at, ${now}::timestamptz + make_interval(hours => l.hours))
      from delay_locks l where l.emoji_id = w.emoji_id returning 1
    ), lowered as (
      update delay_locks set next_at =
        greatest(next_at, ${now}::timestamptz + make_interval(hours => hours))
      where next_at is not null returning 1
    )
    select (select count(*) from changed) + (select count(*) from lowered) as count`.execute(db)
  return rows[0]?.count ?? 0
}

export const removeWaiting = (trx: Transaction, id: string) =>
  trx.deleteFrom('waiting_changes').where('emoji_id', '=', id).execute()

/** Ids with plans of a user, sorted, so that they are locked in one order. */
export async function findPlannedBy(trx: Transaction, user_id: string): Promise<string[]> {
  const { rows } = await sql<{ emoji_id: string }>`
    select emoji_id from waiting_changes where actor_id = ${user_id}
    union select emoji_id from delay_locks where asked_by = ${user_id} and next_at is not null
    order by emoji_id`.execute(trx)
  return rows.map(({ emoji_id }) => emoji_id)
}

export const findWaitingOf = (trx: Transaction, ids: readonly string[]) =>
  trx
    .selectFrom('waiting_changes')
    .select('emoji_id')
    .where(sql<boolean>`emoji_id = any (${ids}::text[])`)
    .execute()

/** Ids whose change should have taken effect, the oldest first. */
export const findDue = (db: Database, now: Date, limit: number) =>
  db
    .selectFrom('waiting_changes')
    .select('emoji_id')
    .where('changes_at', '<=', now)
    .orderBy('changes_at')
    .limit(limit)
    .execute()
