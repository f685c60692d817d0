import { createAllowance } from '../../../platform/http/allowance.ts'

export type Limits = ReturnType<typeof createLimits>

const megabyte = 1_000_000

/**
 * In bytes: the minimum for a page of changes, and the maximum of the states that it compares. To
 * measure a page that is refused takes a fraction of the work.
 */
export const pageBytes = { least: 20_000, most: 20 * megabyte, refused: 5 * megabyte }

/** Ids in batches. Single lookups have no rate limit. */
const ids = {
  each: { atOnce: 20_000, perSecond: 2_000 },
  all: { atOnce: 40_000, perSecond: 5_000 },
}

/** The states that a page of changes compares: 6 ms of CPU per megabyte. */
const readBytes = { atOnce: pageBytes.most, perSecond: 2 * megabyte }
const statesByNetwork = {
  each: readBytes,
  all: { atOnce: 100 * megabyte, perSecond: 10 * megabyte },
}

/** In bytes of records. Smaller ids have no rate limit, however they are looked up. */
export const largeRecords = 16_000
/** Building a response takes ten times as long as sending it. A history takes a query of its own. */
export const lookupCosts = { built: 10, history: 100_000 }

/** Lookups of large ids: 760 of the largest at once and 150 a second, if their responses are cached. */
const lookedUp = {
  each: { atOnce: 50 * megabyte, perSecond: 10 * megabyte },
  all: { atOnce: 150 * megabyte, perSecond: 30 * megabyte },
}

export const createLimits = () => ({
  lookedUp: createAllowance(lookedUp),
  ids: createAllowance(ids),
  statesByAccount: createAllowance({ each: readBytes }),
  statesByNetwork: createAllowance(statesByNetwork),
})
