import type { ColumnType, GeneratedAlways } from 'kysely'

/** Prices of ids by score; the newest row is current. */
export type PriceTablesTable = {
  version: GeneratedAlways<number>
  prices: ColumnType<(number | null)[], string, never>
  reason: string
  actor_id: string
  created_at: Date
}
