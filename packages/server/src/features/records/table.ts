import type { ColumnType, Generated } from 'kysely'

/** All records of an id, oldest first, as JSON text in the form in which they are answered. */
export type RecordSetsTable = {
  emoji_id: string
  records: ColumnType<unknown, string, string>
  version: Generated<number>
  changed_at: Generated<Date>
}
