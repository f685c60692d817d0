import { withheldPart } from '../../../platform/http/api/schemas.ts'
import { currentNetwork } from '../../../platform/request-id.ts'
import type { Principal } from '../access/access.ts'
import type { Deps } from './events.ts'
import { readEvents } from './read-events.ts'
import * as rules from './rules.ts'
import type { EventPage, EventQuery } from './schema.ts'
import { readCursorOfNow } from './sequence-events.ts'
import { loadWatchedIds } from './watch-ids.ts'

/** One page of the feed after a cursor; without one, only the cursor of now. */
export async function pollEvents(
  deps: Deps,
  caller: Principal | undefined,
  query: EventQuery,
): Promise<EventPage> {
  const { page } = await deps.limits.polls.spendOn(
    currentNetwork(),
    1,
    () => readPage(deps, caller, query),
    ({ cost }) => cost,
    // Otherwise polls that are refused would have no limit.
    1,
  )
  return { ...page, ...withheldPart(rules.withheldFrom(caller, rules.readTypes(query.types))) }
}

async function readPage(deps: Deps, caller: Principal | undefined, query: EventQuery) {
  const { after: cursor } = query
  const limit = Math.min(query.limit, rules.largestPage)
  const types = rules.readTypes(query.types)
  const loadIds = async () =>
    query.watch === undefined ? undefined : loadWatchedIds(deps, query.watch)
  if (cursor === undefined) {
    await loadIds()
    return { cost: 1, page: { data: [], next: rules.cursorText(await readCursorOfNow(deps)) } }
  }
  const after = rules.readCursor(cursor)
  const emoji_ids = await loadIds()
  const visibility = rules.readerOf(caller)
  const { events, next } = await readEvents(deps, { after, limit, types, emoji_ids, visibility })
  const data = events.map((row) => rules.showEvent(next.epoch, row))
  const page = { data, next: rules.cursorText(next) }
  return { cost: rules.costOfRead(after.number, next.number), page }
}
