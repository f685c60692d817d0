import { sql } from 'kysely'
import type { Database, Transaction } from '../../../tables.ts'

/** Failed attempts, by the hash of the subject. */
export type LoginFailuresTable = {
  subject: Buffer
  /** The hash of the login name; null for other subjects. */
  name: Buffer | null
  failures: number
  last_at: Date
  blocked_until: Date | null
}

export const findBlocked = (db: Database, keys: readonly Buffer[], at: Date) =>
  db
    .selectFrom('login_failures')
    .select('blocked_until')
    .where('subject', 'in', keys)
    .where('blocked_until', '>', at)
    .execute()

/** Returns the count of a subject and locks it until the transaction ends. */
export const lock = (
  trx: Transaction,
  { subject, name }: { subject: Buffer; name: Buffer | null },
  at: Date,
) =>
  trx
    .insertInto('login_failures')
    .values({ subject, name, failures: 0, last_at: at, blocked_until: null })
    .onConflict((conflict) => conflict.column('subject').doUpdateSet({ subject }))
    .returningAll()
    .executeTakeFirstOrThrow()

export const set = (
  trx: Transaction,
  subject: Buffer,
  count: { failures: number; last_at: Date; blocked_until: Date | null },
) => trx.updateTable('login_failures').set(count).where('subject', '=', subject).execute()

/** Decrements the failures. Unblocks a subject that is within its limit again. */
export const uncount = (db: Database, subject: Buffer, allowed: number) =>
  db
    .updateTable('login_failures')
    .set((eb) => ({
      failures: sql<number>`greatest(failures - 1, 0)`,
      blocked_until: eb
        .case()
        .when('failures', '<=', allowed)
        .then(null)
        .else(eb.ref('blocked_until'))
        .end(),
    }))
    .where('subject', '=', subject)
    .execute()

export const remove = (db: Database, subject: Buffer) =>
  db.deleteFrom('login_failures').where('subject', '=', subject).execute()

export const removeName = (trx: Transaction, name: Buffer) =>
  trx.deleteFrom('login_failures').where('name', '=', name).execute()

export const removeBefore = (db: Database, end: Date) =>
  db.deleteFrom('login_failures').where('last_at', '<', end).execute()
