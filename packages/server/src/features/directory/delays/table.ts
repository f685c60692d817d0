import type { ColumnType, Generated, Selectable } from 'kysely'

/** For how long changed payment addresses of an id wait. */
export type DelayLocksTable = {
  emoji_id: string
  hours: number
  /** A lower number that was asked for, and from when on it holds; 0 is off. */
  next_hours: number | null
  next_at: Date | null
  /** Nobody, where the id was handed on. */
  asked_by: string | null
  version: Generated<number>
}

/** A change of payment records that has not taken effect yet. */
export type WaitingChangesTable = {
  emoji_id: string
  number: Generated<number>
  /** By hash: what goes. */
  removed: ColumnType<string[], string, string>
  inserted: ColumnType<unknown, string, string>
  actor_id: string | null
  signed: ColumnType<{ nonce: string; signature: string } | null, string | null, never>
  asked_at: Date
  changes_at: Date
}

export type LockRow = Selectable<DelayLocksTable>
export type WaitingRow = Selectable<WaitingChangesTable>
