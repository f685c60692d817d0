import type { ColumnType, Kysely } from 'kysely'

/** A written part of the demonstration data. */
export type DemoSeedsTable = { name: string; seeded_at: ColumnType<Date, never, never> }

export type Tables = { demo_seeds: DemoSeedsTable }

/** Marks a part as written; returns `false` if it already was. */
export async function markSeeded(db: Kysely<Tables>, name: string): Promise<boolean> {
  const marked = await db
    .insertInto('demo_seeds')
    .values({ name })
    .onConflict((conflict) => conflict.doNothing())
    .returning('name')
    .executeTakeFirst()
  return marked !== undefined
}

export async function isMarked(db: Kysely<Tables>, name: string): Promise<boolean> {
  const row = await db
    .selectFrom('demo_seeds')
    .select('name')
    .where('name', '=', name)
    .executeTakeFirst()
  return row !== undefined
}
