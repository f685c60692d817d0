import type { ColumnType, Generated } from 'kysely'

/** Data that an owner stores with an id, under one of a few keys. */
export type StoreEntriesTable = {
  emoji_id: string
  key: string
  data: ColumnType<unknown, string, string>
  is_locked: Generated<boolean>
  locked_future_writes_at: Date | null
  created_at: Generated<Date>
  updated_at: Generated<Date>
}
