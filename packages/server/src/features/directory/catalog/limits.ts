import { createAllowance } from '../../../platform/http/allowance.ts'

export type Limits = ReturnType<typeof createLimits>

/** The number of ids that a request reads at most, or reads in its first round. */
export const costs = { search: 60, random: 30, recent: 50 }

/**
 * A search takes 2 to 5 ms of CPU, as much as dozens of lookups. A network may send 100 at once and
 * 30 per second: enough for ten people who type at the same time, and for a partner's server.
 */
const ids = {
  each: { atOnce: 6_000, perSecond: 1_800 },
  all: { atOnce: 24_000, perSecond: 6_000 },
}

export const createLimits = () => ({ ids: createAllowance(ids) })
