import { type ColumnType, type GeneratedAlways, sql } from 'kysely'
import type { Database, Transaction } from '../../../tables.ts'

/** Prices of ids by score; the newest row is current. */
export type PriceTablesTable = {
  version: GeneratedAlways<number>
  prices: ColumnType<(number | null)[], string, never>
  reason: string
  actor_id: string
  created_at: Date
}

export const findPrices = (db: Database, limit: number) =>
  db.selectFrom('price_tables').selectAll().orderBy('version', 'desc').limit(limit).execute()

/** Concurrent price changes wait; readers do not. */
export const lockPrices = (trx: Transaction) =>
  sql`lock table price_tables in share row exclusive mode`.execute(trx)

type NewPrices = { prices: string; reason: string; actor_id: string; created_at: Date }

export const insertPrices = (db: Database, prices: NewPrices) =>
  db.insertInto('price_tables').values(prices).returningAll().executeTakeFirstOrThrow()
