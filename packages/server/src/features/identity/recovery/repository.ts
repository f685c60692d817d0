import type { Insertable } from 'kysely'
import type { Database, Tables, Transaction } from '../../../tables.ts'

/** A pending recovery; one per user. */
export type SecondFactorRecoveriesTable = { user_id: string; asked_at: Date; ends_at: Date }

/** Returns undefined if a recovery is already pending. */
export const insert = (
  trx: Transaction,
  recovery: Insertable<Tables['second_factor_recoveries']>,
) =>
  trx
    .insertInto('second_factor_recoveries')
    .values(recovery)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()

export const find = (db: Database, user_id: string) =>
  db
    .selectFrom('second_factor_recoveries')
    .selectAll()
    .where('user_id', '=', user_id)
    .executeTakeFirst()

/** Only one of many concurrent requests gets the row. */
export const take = (trx: Transaction, user_id: string) =>
  trx
    .deleteFrom('second_factor_recoveries')
    .where('user_id', '=', user_id)
    .returningAll()
    .executeTakeFirst()

export async function deleteBefore(db: Database, end: Date): Promise<void> {
  await db.deleteFrom('second_factor_recoveries').where('ends_at', '<', end).execute()
}
