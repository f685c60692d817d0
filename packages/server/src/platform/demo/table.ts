import type { ColumnType } from 'kysely'

/** A part of the demonstration data that has been written. */
export type DemoSeedsTable = { name: string; seeded_at: ColumnType<Date, never, never> }
