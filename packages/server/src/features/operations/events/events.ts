import { bindUseCases } from '../../../platform/bind.ts'
import { createFairQueue } from '../../../platform/fair-queue.ts'
import { createStreamGate } from '../../../platform/http/event-stream.ts'
import type { JobModule } from '../../../platform/jobs/worker.ts'
import { createFeed } from './create-feed.ts'
import type { Deps, Options } from './deps.ts'
import { followEvents, prepareFollowing } from './follow-events.ts'
import { createLimits, openStreams, waitingWatches } from './limits.ts'
import { locateCursor, readCursors } from './locate-cursor.ts'
import { pollEvents } from './poll-events.ts'
import { purgeEvents } from './purge-events.ts'
import { readEvents } from './read-events.ts'
import { recordEvent, recordEvents } from './record-event.ts'
import { tooManyStreams } from './rules.ts'
import { readSequencerLag } from './sequence-events.ts'
import { startSequencer } from './start-sequencer.ts'
import { purgeWatches, watchIds } from './watch-ids.ts'

export type { CursorAt } from './locate-cursor.ts'
export { EventTypeName, eventTypes } from './schema.ts'

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
      purgeEvents,
      purgeWatches,
      locateCursor,
      readCursors,
      readSequencerLag,
    }),
    streams: createStreamGate({ ...openStreams, refuse: tooManyStreams }),
    /** Adds an action that runs after new numbers in any process, and now and then without. */
    whenNumbered: sequencer.whenNumbered,
    stop: sequencer.stop,
  }
}

export const eventJobs = (events: Events): JobModule => ({
  tasks: {
    'events.purge': () => events.purgeEvents(),
    'events.purge_watches': () => events.purgeWatches(),
  },
  schedules: [
    { task: 'events.purge', cron: '20 * * * *' },
    { task: 'events.purge_watches', cron: '*/10 * * * *' },
  ],
})
