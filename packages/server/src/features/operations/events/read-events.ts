import type { Deps } from './events.ts'
import { assertProven } from './locate-cursor.ts'
import { type EventRow, findEvents } from './repository.ts'
import { type Cursor, cursorAfter, type Reader } from './rules.ts'

/** A read looks at no more events than this, however few of them it returns. */
const scannedAtMost = 10_000

export type EventQuery = {
  /** The place of the last event that the reader has. */
  after: Cursor
  limit: number
  types?: readonly string[] | undefined
  emoji_ids?: readonly string[] | undefined
  /** Public events and those of these accounts and organizations; absent: all events. */
  visibility?: Reader | undefined
}

export type EventPage = {
  last_number: number
  events: EventRow[]
  /** Continue after this, also if the page is empty. */
  next: Cursor
}

/**
 * Events after a cursor, in order; refuses a cursor that the database does not prove. An incomplete
 * page can be empty: continue after `next`.
 */
export async function readEvents({ db }: Pick<Deps, 'db'>, query: EventQuery): Promise<EventPage> {
  const { after, limit, types, emoji_ids, visibility } = query
  const { number } = after
  const filter = { after: number, limit, types, emoji_ids, reader: visibility }
  const found = await findEvents(db, { ...filter, scanned: scannedAtMost })
  assertProven(after, found)
  const { epoch, last_number, events, until, until_tag } = found
  const last = events.length === limit ? events.at(-1) : undefined
  const next = last ? cursorAfter(epoch, last) : { epoch, number: until, tag: until_tag }
  return { last_number, events, next }
}
