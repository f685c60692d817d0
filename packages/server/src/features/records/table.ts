import type { ColumnType, Generated } from 'kysely'

/** A state that the records of an id have been in. */
export type RecordHistoryTable = {
  emoji_id: string
  version: number
  changed_at: Date
  actor_id: string | null
  records: ColumnType<unknown, string, never>
}

/** All records of an id, oldest first, as JSON text in the form in which they are answered. */
export type RecordSetsTable = {
  emoji_id: string
  records: ColumnType<unknown, string, string>
  version: Generated<number>
  changed_at: Generated<Date>
  merkle_root: string | null
  /** The key that signed, and its signature (R and s). */
  signer: string | null
  nonce: string | null
  signature: string | null
}
