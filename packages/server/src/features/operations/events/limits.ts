import { createAllowance, rateLimited } from '../../../platform/http/allowance.ts'

export type Limits = ReturnType<typeof createLimits>

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
export const waitingWatches = { each: 60, all: 600, refusal: () => rateLimited(5) }

/** Open streams. An open stream takes about 40 kB. */
export const openStreams = { perNetwork: 100, perProcess: 2_000 }

export const createLimits = () => ({
  polls: createAllowance(polls),
  watchedIds: createAllowance(watchedIds),
})
