import { createAllowance } from '../../../platform/http/allowance.ts'

export type Limits = ReturnType<typeof createLimits>

/** `reserved` until the number of ids is known; `least` because a list without ids is a request too. */
export const costs = { reserved: 200, least: 10 }

/** Shipped clients get all ids of an owner at once: 35 ms of the processor for a thousand. */
const listedIds = {
  each: { atOnce: 20_000, perSecond: 2_000 },
  all: { atOnce: 60_000, perSecond: 6_000 },
}

export const createLimits = () => ({ listedIds: createAllowance(listedIds) })
