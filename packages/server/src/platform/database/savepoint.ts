import { type QueryExecutorProvider, sql } from 'kysely'

/** Runs work within a savepoint; rolls it back unless it returns `true`. */
export async function undoUnless(
  trx: QueryExecutorProvider,
  work: () => Promise<boolean>,
): Promise<boolean> {
  await sql`savepoint before`.execute(trx)
  const isDone = await work()
  if (!isDone) await sql`rollback to savepoint before`.execute(trx)
  // A remaining savepoint would hide that of an outer call.
  await sql`release savepoint before`.execute(trx)
  return isDone
}
