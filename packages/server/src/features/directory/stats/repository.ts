import { sql } from 'kysely'
import type { Database } from '../../../tables.ts'

/** How often an id was looked up, and its page opened, on a UTC day. */
export type LookupCountsTable = { emoji_id: string; day: string; count: number; pages: number }

/** The lookups of an id, and how many of them opened its payment sheet: the page that shows it. */
export type Count = { lookups: number; pages: number }

/**
 * Adds to the counts of a day in one statement, sorted by id, so that processes do not deadlock.
 */
export async function addCounts(
  db: Database,
  day: string,
  counts: ReadonlyMap<string, Count>,
): Promise<void> {
  const ordered = [...counts].sort(([a], [b]) => (a < b ? -1 : 1))
  const ids = ordered.map(([id]) => id)
  const lookups = ordered.map(([, one]) => one.lookups)
  const pages = ordered.map(([, one]) => one.pages)
  await sql`
    insert into lookup_counts (emoji_id, day, count, pages)
    select id, ${day}::date, n, opened
    from unnest(${ids}::text[], ${lookups}::bigint[], ${pages}::bigint[]) as t (id, n, opened)
    on conflict (emoji_id, day) do update set
      count = lookup_counts.count + excluded.count,
      pages = lookup_counts.pages + excluded.pages
  `.execute(db)
}

/** The counts of one id by day, for days that have any. */
export const findDays = (db: Database, id: string, start: string, finish: string) =>
  db
    .selectFrom('lookup_counts')
    .select([sql<string>`day::text`.as('day'), 'count', 'pages'])
    .where('emoji_id', '=', id)
    .where(sql<boolean>`day >= ${start}::date and day < ${finish}::date`)
    .execute()

export async function sumViews(
  db: Database,
  ids: readonly string[],
  start: string,
  finish: string,
) {
  return db
    .selectFrom('lookup_counts')
    .select(['emoji_id', ({ fn }) => fn.sum<number>('count').as('views')])
    .where('emoji_id', '=', sql<string>`any (${ids}::text[])`)
    .where(sql<boolean>`day >= ${start}::date and day < ${finish}::date`)
    .groupBy('emoji_id')
    .execute()
}

export async function purgeBefore(db: Database, day: string): Promise<void> {
  await sql`delete from lookup_counts where day < ${day}::date`.execute(db)
}
