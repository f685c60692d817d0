import { type QueryExecutorProvider, sql } from 'kysely'

/** Does something within a transaction; unless it answers `true`, none of it happened. */
export async function undoUnless(
  trx: QueryExecutorProvider,
  work: () => Promise<boolean>,
): Promise<boolean> {
  await sql`savepoint before`.execute(trx)
  const isDone = await work()
  await (isDone ? sql`release savepoint before` : sql`rollback to savepoint before`).execute(trx)
  return isDone
}
