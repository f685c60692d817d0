import { sql } from 'kysely'
import type { Database, Transaction } from '../../tables.ts'

export const findBlocked = (db: Database, keys: readonly Buffer[], at: Date) =>
  db
    .selectFrom('login_failures')
    .select('blocked_until')
    .where('subject', 'in', keys)
    .where('blocked_until', '>', at)
    .execute()

/** How many there are now; those from long ago are forgotten. */
export async function addFailure(db: Database, subject: Buffer, at: Date, forgotten: Date) {
  const { failures } = await db
    .insertInto('login_failures')
    .values({ subject, failures: 1, last_at: at, blocked_until: null })
    .onConflict((conflict) =>
      conflict.column('subject').doUpdateSet({
        failures: sql`case when login_failures.last_at < ${forgotten} then 1 else login_failures.failures + 1 end`,
        last_at: at,
      }),
    )
    .returning('failures')
    .executeTakeFirstOrThrow()
  return failures
}

/** The count of a subject, which nobody else changes meanwhile. */
export const lock = (trx: Transaction, subject: Buffer, at: Date) =>
  trx
    .insertInto('login_failures')
    .values({ subject, failures: 0, last_at: at, blocked_until: null })
    .onConflict((conflict) => conflict.column('subject').doUpdateSet({ subject }))
    .returningAll()
    .executeTakeFirstOrThrow()

export const set = (
  trx: Transaction,
  subject: Buffer,
  count: { failures: number; last_at: Date; blocked_until: Date | null },
) => trx.updateTable('login_failures').set(count).where('subject', '=', subject).execute()

export const block = (db: Database, subject: Buffer, until: Date) =>
  db
    .updateTable('login_failures')
    .set({ blocked_until: until })
    .where('subject', '=', subject)
    .execute()

export const forget = (db: Database, subject: Buffer) =>
  db.deleteFrom('login_failures').where('subject', '=', subject).execute()

export const forgetBefore = (db: Database, end: Date) =>
  db.deleteFrom('login_failures').where('last_at', '<', end).execute()
