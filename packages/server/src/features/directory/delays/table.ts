import type { ColumnType, Generated, Selectable } from 'kysely'

/** The delay of changed payment addresses of an id. */
export type DelayLocksTable = {
  emoji_id: string
  hours: number
  /** A planned lower number and when it takes effect; 0 is off. */
  next_hours: number | null
  next_at: Date | null
  /** Null after the id was handed on. */
  asked_by: string | null
  version: Generated<number>
}

/** A change of payment records that has not taken effect yet. */
export type WaitingChangesTable = {
  emoji_id: string
  number: Generated<number>
  /** Hashes of the removed records. */
  removed: ColumnType<string[], string, string>
  inserted: ColumnType<unknown, string, string>
  /** Hashes of the payment records in their order after the change. */
  places: ColumnType<string[] | null, string | null, string | null>
  /** Of those that are more recent than their places say, by hash. */
  recency: ColumnType<{ [hash: string]: number } | null, string | null, never>
  actor_id: string | null
  /** The author acts for the owner: no emailed link cancels it. */
  by_operator: ColumnType<boolean, boolean, never>
  signed: ColumnType<{ nonce: string; signature: string } | null, string | null, never>
  asked_at: Date
  changes_at: Date
}

export type LockRow = Selectable<DelayLocksTable>
export type WaitingRow = Selectable<WaitingChangesTable>
