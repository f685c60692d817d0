import type { ColumnType } from 'kysely'

/** The last beat of a process that reads from a replica. */
export type ReplicaBeatsTable = {
  process_id: string
  beat: number
  beaten_at: ColumnType<Date, never, never>
}
