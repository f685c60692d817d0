import type { Deps } from './events.ts'
import { type EventRow, findEvents, readPosition } from './repository.ts'
import { type Position, type Reader, unknownCursor } from './rules.ts'

/** A read looks at no more events than this, however few of them it returns. */
const scannedAtMost = 10_000

export type EventQuery = {
  /** The number of the last event that the reader has. */
  after: number
  limit: number
  types?: readonly string[] | undefined
  emoji_ids?: readonly string[] | undefined
  /** Public events and those of these accounts and organizations; absent: all events. */
  visibility?: Reader | undefined
}

export type EventPage = {
  position: Position
  events: EventRow[]
  /** Continue after this number, also if the page is empty. */
  next: number
}

/** Events after a number, in order. An incomplete page can be empty: continue after `next`. */
export async function readEvents({ db }: Pick<Deps, 'db'>, query: EventQuery): Promise<EventPage> {
  const { after, limit, types, emoji_ids, visibility } = query
  const { last_number } = await readPosition(db)
  const until = Math.min(last_number, after + scannedAtMost)
  const filter = { after, until, limit, types, emoji_ids, reader: visibility }
  const events = until > after ? await findEvents(db, filter) : []
  // After the rows: a purge in between has deleted some of them.
  const position = await readPosition(db)
  if (after < position.purged_number) throw unknownCursor()
  const last = events.length === limit ? events.at(-1)?.number : undefined
  return { position, events, next: last ?? Math.max(after, until) }
}
