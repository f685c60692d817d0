import { type QueryExecutorProvider, sql } from 'kysely'

/** Does something within a transaction; unless it answers `true`, none of it happened. */
export async function undoUnless(
  trx: QueryExecutorProvider,
  work: () => Promise<boolean>,
): Promise<boolean> {
  await sql`savepoint before`.execute(trx)
  const isDone = await work()
  if (!isDone) await sql`rollback to savepoint before`.execute(trx)
  // One that stayed would hide that of whoever called this within another.
  await sql`release savepoint before`.execute(trx)
  return isDone
}
