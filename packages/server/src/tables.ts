import type { Kysely, Transaction as KyselyTransaction } from 'kysely'
import type { EmojiIdsTable } from './features/emoji-ids/table.ts'
import type { MessagesTable } from './features/notifications/table.ts'
import type { RecordSetsTable } from './features/records/table.ts'
import type { LookupCountsTable } from './features/stats/table.ts'
import type { StoreEntriesTable } from './features/store/table.ts'
import type { DemoSeedsTable } from './platform/demo/table.ts'
import type { IdempotencyKeysTable } from './platform/http/idempotency/table.ts'

/** Every table of the database, by owner. */
export type Tables = {
  // platform
  demo_seeds: DemoSeedsTable
  idempotency_keys: IdempotencyKeysTable
  // emoji-ids
  emoji_ids: EmojiIdsTable
  // notifications
  messages: MessagesTable
  // records
  record_sets: RecordSetsTable
  // stats
  lookup_counts: LookupCountsTable
  // store
  store_entries: StoreEntriesTable
}

export type Database = Kysely<Tables>
export type Transaction = KyselyTransaction<Tables>
