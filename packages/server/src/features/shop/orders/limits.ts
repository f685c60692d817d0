import { createAllowance } from '../../../platform/http/allowance.ts'

export type Limits = ReturnType<typeof createLimits>

/** In tenths of a millisecond of CPU. A cart has up to 100 items. */
export const costs = { request: 60, listedOrder: 1, shownItem: 1, addedItem: 1, heldItem: 8 }

/**
 * Showing and listing orders, adding items and checking out: a network has a burst of two seconds, then 0.3 of a
 * core. That is 37 buyers whose page asks every two seconds for an order of 100 items. An export of 5,000 orders
 * of one item each takes half of the burst.
 */
const work = {
  each: { atOnce: 20_000, perSecond: 3_000 },
  all: { atOnce: 60_000, perSecond: 10_000 },
}

export const createLimits = () => ({ work: createAllowance(work) })
