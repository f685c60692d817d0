import { currentNetwork } from '../../../platform/request-id.ts'
import { type Principal, refreshCaller } from '../access/access.ts'
import type { Deps, Follower, Stream } from './events.ts'
import { type EventPage, readEvents } from './read-events.ts'
import { readPosition } from './repository.ts'
import * as rules from './rules.ts'
import type { EventQuery } from './schema.ts'
import { readPositionOfNow } from './sequence-events.ts'
import { loadWatchedIds } from './watch-ids.ts'

/** The contents of a stream, checked before it opens. */
export type Following = {
  network: string
  caller: Principal | undefined
  position: rules.Position
  after: number
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
  const position =
    cursor === undefined ? await readPositionOfNow(deps) : await readPosition(deps.db)
  const after = cursor === undefined ? position.last_number : rules.numberOfCursor(position, cursor)
  // After the cursor: a list of 1,000 ids costs more to load.
  const emoji_ids = watch === undefined ? undefined : await loadWatchedIds(deps, watch)
  const watchedHashes = emoji_ids && rules.hashesOf(emoji_ids)
  return { network, caller, position, after, types, emoji_ids, watched: watchedHashes }
}

/** Sends events until the stream closes: first the missed ones, then new ones as they come. */
export async function followEvents(
  deps: Deps,
  following: Following,
  stream: Stream,
): Promise<void> {
  const { feed, log } = deps
  const { position } = following
  let cursor = rules.cursorOf(position, following.after)
  let number = following.after
  const write = (text: string) => {
    if (text !== '') stream.write(text)
  }
  stream.write(`retry: 3000\nid: ${cursor}\n\n`)
  // The cursor moves past events that the stream does not show.
  stream.setBeat(() => `: \nid: ${cursor}\n\n`)
  const pass = (event: rules.FeedEvent) => {
    number = event.row.number
    cursor = event.cursor
  }
  const sender = createSender(deps, following, stream, write)
  const follower: Follower = {
    take(events) {
      const fresh = events.filter(({ row }) => row.number > number)
      const last = fresh.at(-1)
      if (!last) return
      sender.send(fresh, () => pass(last))
    },
    end: () => stream.end(),
  }
  stream.whenClosed(() => feed.leave(follower))
  const readers = new Set(following.caller ? [following.caller.user_id] : [])
  // The feed does not wait for slow readers, so a stream reads its backlog before it joins.
  let isNearEnd = number >= position.last_number
  try {
    while (stream.isOpen() && !(isNearEnd && feed.join(follower, number))) {
      const page = await readBacklog(deps, following, number)
      if (page.position.epoch !== position.epoch) return stream.end()
      const events = page.events.map((row) => rules.toFeedEvent(page.position, row, readers))
      await sender.sendNow(events)
      number = page.next
      isNearEnd = number >= page.position.last_number
      cursor = rules.cursorOf(page.position, page.next)
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
  after: number,
): Promise<EventPage> {
  const current = caller && (await refreshCaller(deps.db, caller, deps.now()))
  const visibility = rules.readerOf(current?.caller)
  const query = { after, limit: readAtOnce, types, emoji_ids, visibility }
  return deps.limits.polls.spendOn(
    network,
    1,
    () => readEvents(deps, query),
    ({ next }) => rules.costOfRead(after, next),
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
