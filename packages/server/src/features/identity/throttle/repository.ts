import { type RawBuilder, sql } from 'kysely'
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

export const find = (db: Database, keys: readonly Buffer[]) =>
  db
    .selectFrom('login_failures')
    .select(['subject', 'blocked_until'])
    .where('subject', 'in', keys)
    .execute()

type Counted = { key: Buffer; name?: Buffer; allowed: number }

const rowsOf = (subjects: readonly Counted[]) => sql`unnest(
  ${subjects.map(({ key }) => key)}::bytea[],
  ${subjects.map(({ name }) => name ?? null)}::bytea[],
  ${subjects.map(({ allowed }) => allowed)}::int[]) as wanted (subject, name, allowed)`

/**
 * Counts a failure of every subject in one statement, sorted, so that concurrent counts do not
 * deadlock; returns the counted subjects. With `onlyFree`, counts none while one is blocked. Only if
 * one becomes blocked at this moment are the others counted.
 */
export async function count(
  db: Database,
  subjects: readonly Counted[],
  { at, countedSince, onlyFree }: { at: Date; countedSince: Date; onlyFree: boolean },
): Promise<Buffer[]> {
  const before = sql`case when known.last_at < ${countedSince} then 0 else known.failures end`
  const { rows } = await sql<{ subject: Buffer }>`
    insert into login_failures as known (subject, name, failures, last_at, blocked_until)
    select subject, name, 1, ${at}, ${endOfBlock(sql`1`, at)}
    from ${rowsOf(subjects)}
    where not ${onlyFree}::boolean or not exists (
      select from login_failures as other
      where other.subject = any (${subjects.map(({ key }) => key)}::bytea[])
        and other.blocked_until > ${at})
    order by subject
    on conflict (subject) do update set failures = ${before} + 1, last_at = ${at},
      blocked_until = (select ${endOfBlock(sql`${before} + 1`, at)} from ${rowsOf(subjects)}
        where wanted.subject = known.subject)
    where not ${onlyFree}::boolean or known.blocked_until is null or known.blocked_until <= ${at}
    returning subject`.execute(db)
  return rows.map(({ subject }) => subject)
}

/** Exponential back-off: 1 s after the last allowed failure, then doubled, up to 15 minutes. */
const endOfBlock = (failures: RawBuilder<unknown>, at: Date) => sql`
  case when ${failures} >= wanted.allowed then ${at}::timestamptz
    + least(interval '15 minutes', interval '1 second' * 2 ^ least(20, ${failures} - wanted.allowed))
  end`

/** Decrements the failures. Unblocks a subject that is within its limit again. */
export async function uncount(db: Database, subjects: readonly Counted[]): Promise<void> {
  await sql`
    update login_failures set failures = greatest(failures - 1, 0),
      blocked_until = case when failures > known.allowed then blocked_until end
    from (
      select subject, wanted.allowed from ${rowsOf(subjects)}
      join login_failures using (subject) order by subject for update of login_failures
    ) as known
    where login_failures.subject = known.subject`.execute(db)
}

export const remove = (db: Database, keys: readonly Buffer[]) =>
  removeSorted(db, sql`subject = any (${keys}::bytea[])`)

export const removeName = (trx: Transaction, name: Buffer) => removeSorted(trx, sql`name = ${name}`)

export const removeBefore = (db: Database, end: Date) => removeSorted(db, sql`last_at < ${end}`)

/** Locks the rows in the order of `count`. */
const removeSorted = (db: Database, condition: RawBuilder<unknown>) =>
  sql`delete from login_failures where subject in (
    select subject from login_failures where ${condition} order by subject for update)`.execute(db)
