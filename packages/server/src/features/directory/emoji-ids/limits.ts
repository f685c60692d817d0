import { createAllowance } from '../../../platform/http/allowance.ts'

export type Limits = ReturnType<typeof createLimits>

/**
 * `reserved` until the number of ids is known. `least` because `/account/load` takes 7 ms of CPU even
 * without ids.
 */
export const costs = { reserved: 200, least: 40 }

/** Released clients load all ids of an owner in one request: 35 ms of CPU for a thousand. */
const listedIds = {
  each: { atOnce: 20_000, perSecond: 2_000 },
  all: { atOnce: 60_000, perSecond: 6_000 },
}

export const createLimits = () => ({ listedIds: createAllowance(listedIds) })
