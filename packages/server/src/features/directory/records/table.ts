import type { ColumnType, Generated } from 'kysely'

/** A past state of the records of an id. */
export type RecordHistoryTable = {
  emoji_id: string
  version: number
  changed_at: Date
  actor_id: string | null
  /** The author acted for the owner: no emailed link undoes it. */
  by_operator: ColumnType<boolean, boolean | undefined, never>
  /** Null for an old state, of which only the hash is kept. */
  records: ColumnType<unknown, string, null>
  records_sha256: ColumnType<string | null, string | undefined, never>
  linked: ColumnType<Links, string, string>
  /** The version whose addresses this state restored. */
  undoes: number | null
}

/** Store entry keys by record hash. */
type Links = Record<string, string>

/** All records of an id, in the order of their owner, as the JSON text that lookups return. */
export type RecordSetsTable = {
  emoji_id: string
  records: ColumnType<unknown, string, string>
  linked: ColumnType<Links, string, string>
  version: Generated<number>
  changed_at: Generated<Date>
  merkle_root: string | null
  /** The key that signed, and its signature (R and s). */
  signer: string | null
  nonce: string | null
  signature: string | null
}
