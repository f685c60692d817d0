import type { ColumnType } from 'kysely'

/** A written part of the demonstration data. */
export type DemoSeedsTable = { name: string; seeded_at: ColumnType<Date, never, never> }
