import type { ColumnType, GeneratedAlways } from 'kysely'

/** What ids cost by score; the newest row counts. */
export type PriceTablesTable = {
  version: GeneratedAlways<number>
  prices: ColumnType<(number | null)[], string, never>
  reason: string
  actor_id: string
  created_at: Date
}
