import type { Feed, Follower, Options } from './deps.ts'
import { readEvents } from './read-events.ts'
import { toFeedEvent } from './rules.ts'

const readAtOnce = 500

/** Reads new events once per process, for all its followers. */
export function createFeed(
  options: Pick<Options, 'db' | 'log'>,
  whenNumbered: (action: () => void) => void,
): Feed {
  const { log } = options
  const followers = new Set<Follower>()
  /** Every follower has the events up to this number. */
  let lastNumber = 0
  let epoch: string | undefined
  let isAsked = false
  let isReading = false

  const read = async () => {
    while (isAsked && followers.size > 0) {
      isAsked = false
      const { events, position, next } = await readEvents(options, {
        after: lastNumber,
        limit: readAtOnce,
      })
      if (epoch !== undefined && epoch !== position.epoch) {
        for (const follower of [...followers]) follower.end()
      }
      epoch = position.epoch
      if (events.length === readAtOnce) isAsked = true
      lastNumber = next
      if (events.length === 0) continue
      const feedEvents = events.map((row) => toFeedEvent(position, row))
      for (const follower of [...followers]) follower.take(feedEvents)
    }
  }
  const wake = () => {
    isAsked = true
    if (isReading) return
    isReading = true
    read()
      // The next notification or poll tries again.
      .catch((error) => log.warn({ err: error }, 'New events could not be read yet'))
      .finally(() => {
        isReading = false
      })
  }
  whenNumbered(() => {
    if (followers.size > 0) wake()
  })

  return {
    join(follower, after) {
      if (followers.size === 0 && !isReading) {
        lastNumber = after
        epoch = undefined
      }
      if (after < lastNumber) return false
      followers.add(follower)
      wake()
      return true
    },
    leave: (follower) => void followers.delete(follower),
  }
}
