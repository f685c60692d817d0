import { bindUseCases } from '../../../platform/bind.ts'
import type { DatabaseMonitor } from '../../../platform/database/monitor.ts'
import { createFairQueue, type FairQueue } from '../../../platform/fair-queue.ts'
import { createBudget, rateLimited } from '../../../platform/http/limits.ts'
import { createStreamGate } from '../../../platform/http/server/event-stream.ts'
import type { Log } from '../../../platform/log/log.ts'
import type { Database } from '../../../tables.ts'
import { createFeed } from './create-feed.ts'
import { followEvents, prepareFollowing } from './follow-events.ts'
import { locateCursor, readCursors } from './locate-cursor.ts'
import { pollEvents } from './poll-events.ts'
import { readEvents } from './read-events.ts'
import { recordEvent, recordEvents } from './record-event.ts'
import { type Cursor, type FeedEvent, tooManyStreams } from './rules.ts'
import { readCursorOfNow, readSequencerLag } from './sequence-events.ts'
import { startSequencer } from './start-sequencer.ts'
import { watchIds } from './watch-ids.ts'

export type { CursorAt } from './locate-cursor.ts'
export { purgeEvents } from './purge-events.ts'
export { deleteExpiredWatches as purgeWatches } from './repository.ts'
export { EventTypeName, eventTypes } from './schema.ts'
export { beginEpoch, sequenceEvents } from './sequence-events.ts'

export type Options = {
  db: Database
  monitor: DatabaseMonitor
  now: () => Date
  log: Log
  /** Networks of watches are stored as HMACs under this key. */
  networkKey: Buffer
}

/** Gets every event in order, once. */
export type Follower = {
  take(events: readonly FeedEvent[]): void
  /** The database has lost events that the follower got, or was restored. */
  end(): void
}

/** Reads new events once per process, for all its followers. */
export type Feed = {
  /**
   * Adds a follower that has every event up to this cursor; returns false if it must read the next
   * events itself.
   */
  join(follower: Follower, after: Cursor): boolean
  leave(follower: Follower): void
}

export type Deps = Options & {
  feed: Feed
  limits: Limits
  /** New watches wait for a lock: only one of them holds a connection meanwhile. */
  newWatches: FairQueue
}

/** The connection of a reader who follows the feed. */
export type Stream = {
  isOpen(): boolean
  /** Closes the stream of a reader who does not keep up. */
  write(text: string): void
  /** Resolves once the reader has read enough; closes the stream of one who does not. */
  drain(): Promise<void>
  end(): void
  whenClosed(action: () => void): void
  /** The text of the regular heartbeat. */
  setBeat(beat: () => string): void
}

type Limits = ReturnType<typeof createLimits>

/** A poll counts one, and one more per thousand events that it looks at. */
const polls = {
  each: { atOnce: 600, perSecond: 30 },
  all: { atOnce: 6_000, perSecond: 1_000 },
}

/** New watches count their ids. */
const watchedIds = {
  each: { atOnce: 50_000, perSecond: 200 },
  all: { atOnce: 500_000, perSecond: 5_000 },
}

/** New watches that wait for their turn. */
const waitingWatches = { each: 60, all: 600, refusal: () => rateLimited(5) }

/** Open streams. An open stream takes about 40 kB. */
const openStreams = { perNetwork: 100, inTotal: 2_000 }

const createLimits = () => ({
  polls: createBudget('event polls', polls),
  watchedIds: createBudget('watched ids', watchedIds),
})

export type Events = ReturnType<typeof createEvents>

/** Everything that happened to ids, orders and transfers, as one ordered feed. */
export function createEvents(options: Options) {
  const sequencer = startSequencer(options)
  const feed = createFeed(options, sequencer.whenNumbered)
  const deps: Deps = {
    ...options,
    feed,
    limits: createLimits(),
    newWatches: createFairQueue(waitingWatches),
  }
  return {
    ...bindUseCases(deps, {
      recordEvent,
      recordEvents,
      readEvents,
      pollEvents,
      prepareFollowing,
      followEvents,
      watchIds,
      locateCursor,
      readCursors,
      readCursorOfNow,
      readSequencerLag,
    }),
    streams: createStreamGate({ ...openStreams, refuse: tooManyStreams }),
    /** Adds an action that runs after new numbers in any process, and now and then without. */
    whenNumbered: sequencer.whenNumbered,
    stop: sequencer.stop,
  }
}
