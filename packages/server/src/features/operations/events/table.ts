import type { ColumnType, GeneratedAlways, Selectable } from 'kysely'

/** Something that happened to an id, an order or a transfer. */
export type EventsTable = {
  /** The order of insertion. */
  id: GeneratedAlways<number>
  /** The order of reading; null until the sequencer saw the commit. */
  number: ColumnType<number | null, never, never>
  event_id: string
  type: string
  emoji_id: string | null
  data: ColumnType<Record<string, unknown>, string, never>
  /** Accounts that are concerned. */
  user_ids: string[]
  /** Organizations that are concerned. */
  organization_ids: string[]
  created_at: ColumnType<Date, Date, never>
}

/** The one row with the state of the sequencer. */
export type EventSequenceTable = {
  only_row: boolean
  epoch: string
  /** Cluster, timeline and table; another value begins a new epoch. */
  place: string
  last_number: number
  /** The last number that was deleted after its retention. */
  purged_number: number
}

export type EventRow = Omit<Selectable<EventsTable>, 'id' | 'number'> & { number: number }

/** A list of ids that a client watches. */
export type EventWatchesTable = {
  token_hash: Buffer
  emoji_ids: string[]
  /** The length of the list, or more for a short list. */
  id_count: number
  /** Keyed hashes of the client's network, to limit the stored lists. */
  network_hash: Buffer
  wide_network_hash: Buffer
  expires_at: Date
}
