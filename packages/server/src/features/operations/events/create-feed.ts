import type { Feed, Follower, Options } from './events.ts'
import { readEvents } from './read-events.ts'
import { type EventRow, findMembers } from './repository.ts'
import { type Cursor, isPublicType, isSameCursor, isUnknownCursor, toFeedEvent } from './rules.ts'

const readAtOnce = 500

/** Reads new events once per process, for all its followers. */
export function createFeed(
  options: Pick<Options, 'db' | 'log'>,
  whenNumbered: (action: () => void) => void,
): Feed {
  const { log } = options
  const followers = new Set<Follower>()
  /** Every follower has the events up to this; undefined without a follower. */
  let last: Cursor | undefined
  let isAsked = false
  let isReading = false

  const endAll = () => {
    for (const follower of followers) follower.end()
    followers.clear()
  }
  const read = async () => {
    while (isAsked && last && followers.size > 0) {
      isAsked = false
      const { events, next } = await readEvents(options, { after: last, limit: readAtOnce })
      if (events.length === readAtOnce) isAsked = true
      last = next
      if (events.length === 0) continue
      const membersOf = await findMembersOf(options, events)
      const feedEvents = events.map((row) => toFeedEvent(next.epoch, row, membersOf(row)))
      for (const follower of [...followers]) follower.take(feedEvents)
    }
  }
  const wake = () => {
    isAsked = true
    if (isReading) return
    isReading = true
    read()
      // The next notification or poll tries again.
      .catch((error) => {
        if (isUnknownCursor(error)) endAll()
        else log.warn({ err: error }, 'New events could not be read yet')
      })
      .finally(() => {
        isReading = false
      })
  }
  whenNumbered(() => {
    if (followers.size > 0) wake()
  })

  return {
    join(follower, after) {
      if (!last || (followers.size === 0 && !isReading)) last = after
      const isBehind = after.number < last.number
      // The feed or the stream is on a lost branch: the next read of each finds out.
      const isElsewhere = after.number === last.number && !isSameCursor(after, last)
      if (isElsewhere) wake()
      if (isBehind || isElsewhere) return false
      followers.add(follower)
      wake()
      return true
    },
    leave: (follower) => void followers.delete(follower),
  }
}

/** One query for all streams: a role counts from the next event after it was given. */
async function findMembersOf({ db }: Pick<Options, 'db'>, events: readonly EventRow[]) {
  const privateEvents = events.filter(({ type }) => !isPublicType(type))
  const ids = new Set(privateEvents.flatMap(({ organization_ids }) => organization_ids))
  const members = await findMembers(db, [...ids])
  return ({ organization_ids }: EventRow): ReadonlySet<string> =>
    new Set(
      members
        .filter(({ organization_id }) => organization_ids.includes(organization_id))
        .map(({ user_id }) => user_id),
    )
}
