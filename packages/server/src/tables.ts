import type { Kysely } from 'kysely'
import type { DemoSeedsTable } from './platform/demo/table.ts'
import type { IdempotencyKeysTable } from './platform/http/idempotency/table.ts'

/** Every table of the database, by owner. */
export type Tables = {
  // platform
  demo_seeds: DemoSeedsTable
  idempotency_keys: IdempotencyKeysTable
}

export type Database = Kysely<Tables>
