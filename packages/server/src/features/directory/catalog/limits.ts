import { createAllowance } from '../../../platform/http/allowance.ts'

/** How many ids a request reads and describes at most, or in its first round. */
export const costs = { search: 60, random: 30, recent: 50 }

/**
 * A search takes 2 to 5 ms of the processor, as much as dozens of plain lookups. A network has 100 at
 * once and 30 a second: enough for ten people who type at the same time, and for a partner's server.
 */
const ids = {
  each: { atOnce: 6_000, perSecond: 1_800 },
  all: { atOnce: 24_000, perSecond: 6_000 },
}

export const createLimits = () => ({ ids: createAllowance(ids) })
