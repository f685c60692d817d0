import { currentNetwork } from '../../../platform/request-id.ts'
import { type Principal, refreshCaller } from '../access/access.ts'
import type { Deps, Follower, Stream } from './events.ts'
import { locateCursor } from './locate-cursor.ts'
import { type EventPage, readEvents } from './read-events.ts'
import * as rules from './rules.ts'
import type { EventQuery } from './schema.ts'
import { readCursorOfNow } from './sequence-events.ts'
import { loadWatchedIds } from './watch-ids.ts'

/** The contents of a stream, checked before it opens. */
export type Following = {
  network: string
  caller: Principal | undefined
  after: rules.Cursor
  /** The reader has missed events, which precede those of the feed. */
  hasBacklog: boolean
  types: readonly string[] | undefined
  watched: Float64Array | undefined
  emoji_ids: readonly string[] | undefined
}

const readAtOnce = 200
const costOfOpening = 2
/** Batches that wait for a check of the caller's rights. */
const waitingAtMost = 20

/** Throws the errors of a poll before the stream opens, so that the reader gets them as a response. */
export async function prepareFollowing(
  deps: Deps,
  caller: Principal | undefined,
  { after: cursor, types: wanted, watch }: Omit<EventQuery, 'limit'>,
): Promise<Following> {
  const network = currentNetwork()
  deps.limits.polls.spend(network, costOfOpening)
  const types = rules.readTypes(wanted)
  const { cursor: after, last_number } =
    cursor === undefined
      ? { cursor: await readCursorOfNow(deps), last_number: 0 }
      : await locateCursor(deps, cursor)
  // After the cursor: a list of 1,000 ids costs more to load.
  const emoji_ids = watch === undefined ? undefined : await loadWatchedIds(deps, watch)
  const watchedHashes = emoji_ids && rules.hashesOf(emoji_ids)
  const hasBacklog = after.number < last_number
  return { network, caller, after, hasBacklog, types, emoji_ids, watched: watchedHashes }
}

/** Sends events until the stream closes: first the missed ones, then new ones as they come. */
export async function followEvents(
  deps: Deps,
  following: Following,
  stream: Stream,
): Promise<void> {
  const { feed, log } = deps
  let cursor = following.after
  const write = (text: string) => {
    if (text !== '') stream.write(text)
  }
  stream.write(`retry: 3000\nid: ${rules.cursorText(cursor)}\n\n`)
  // The cursor moves past events that the stream does not show.
  stream.setBeat(() => `: \nid: ${rules.cursorText(cursor)}\n\n`)
  const { epoch } = cursor
  const sender = createSender(deps, following, stream, write)
  const follower: Follower = {
    take(events) {
      // The stream may have read its backlog from a database that was lost since.
      const own = events.find(({ row }) => row.number === cursor.number)
      if (own && own.cursor !== rules.cursorText(cursor)) return stream.end()
      const fresh = events.filter(({ row }) => row.number > cursor.number)
      const last = fresh.at(-1)
      if (!last) return
      sender.send(fresh, () => {
        cursor = rules.cursorAfter(epoch, last.row)
      })
    },
    end: () => stream.end(),
  }
  stream.whenClosed(() => feed.leave(follower))
  const readers = new Set(following.caller ? [following.caller.user_id] : [])
  // The feed does not wait for slow readers, so a stream reads its backlog before it joins.
  let isNearEnd = !following.hasBacklog
  try {
    while (stream.isOpen() && !(isNearEnd && feed.join(follower, cursor))) {
      const page = await readBacklog(deps, following, cursor)
      const events = page.events.map((row) => rules.toFeedEvent(epoch, row, readers))
      await sender.sendNow(events)
      cursor = page.next
      isNearEnd = cursor.number >= page.last_number
      await stream.drain()
    }
  } catch (error) {
    log.debug({ err: error }, 'A stream of events ended')
    stream.end()
  }
  // The stream may have closed before it joined.
  if (!stream.isOpen()) feed.leave(follower)
}

/** Costs as much as polling. The rights of the caller may have changed since the last page. */
async function readBacklog(
  deps: Deps,
  { network, types, emoji_ids, caller }: Following,
  after: rules.Cursor,
): Promise<EventPage> {
  const current = caller && (await refreshCaller(deps.db, caller, deps.now()))
  const visibility = rules.readerOf(current?.caller)
  const query = { after, limit: readAtOnce, types, emoji_ids, visibility }
  return deps.limits.polls.spendOn(
    network,
    1,
    () => readEvents(deps, query),
    ({ next }) => rules.costOfRead(after.number, next.number),
  )
}

/**
 * Sends the events that the reader may see. Checks rights again before every private event of the
 * reader, of an organization that the reader belongs to now or belonged to.
 */
function createSender(
  deps: Deps,
  { caller: firstCaller, types, watched }: Following,
  stream: Stream,
  write: (text: string) => void,
) {
  let caller = firstCaller
  let waitingCount = 0
  let tail = Promise.resolve()
  const isWanted = ({ row, idHash }: rules.FeedEvent) =>
    (types === undefined || types.includes(row.type)) &&
    (watched === undefined || rules.hasHash(watched, idHash))
  const textOf = (events: readonly rules.FeedEvent[], reader: rules.Reader) =>
    events
      .filter(({ row }) => rules.isVisibleTo(row, reader))
      .map(({ text }) => text)
      .join('')

  const sendNow = async (events: readonly rules.FeedEvent[]): Promise<void> => {
    const matches = events.filter(isWanted)
    const reader = rules.readerOf(caller)
    const mayConcern = ({ row, member_ids }: rules.FeedEvent, user_id: string) =>
      !rules.isPublicType(row.type) && (member_ids.has(user_id) || rules.isVisibleTo(row, reader))
    const reading = caller
    if (!reading || !matches.some((event) => mayConcern(event, reading.user_id))) {
      return write(textOf(matches, reader))
    }
    const current = await refreshCaller(deps.db, reading, deps.now())
    if (!current) return stream.end()
    caller = current.caller
    write(textOf(matches, rules.readerOf(caller, current.isConfirmed)))
  }
  return {
    sendNow,
    /** In order, without waiting for anonymous readers. */
    send(events: readonly rules.FeedEvent[], onSent: () => void): void {
      if (!caller) {
        write(textOf(events.filter(isWanted), rules.anonymous))
        onSent()
        return
      }
      waitingCount++
      if (waitingCount > waitingAtMost) {
        stream.end()
        return
      }
      tail = tail
        .then(() => sendNow(events))
        .then(onSent)
        .catch(() => stream.end())
        .finally(() => {
          waitingCount--
        })
    },
  }
}
