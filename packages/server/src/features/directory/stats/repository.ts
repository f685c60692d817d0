import { sql } from 'kysely'
import type { Database } from '../../../tables.ts'

/**
 * Adds to the counts of a day in one statement, sorted by id, so that processes do not deadlock.
 */
export async function addCounts(
  db: Database,
  day: string,
  counts: ReadonlyMap<string, number>,
): Promise<void> {
  const ordered = [...counts].sort(([a], [b]) => (a < b ? -1 : 1))
  await sql`
    insert into lookup_counts (emoji_id, day, count)
    select id, ${day}::date, n
    from unnest(${ordered.map(([id]) => id)}::text[], ${ordered.map(([, n]) => n)}::bigint[]) as t (id, n)
    on conflict (emoji_id, day) do update set count = lookup_counts.count + excluded.count
  `.execute(db)
}

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
