import { createAllowance } from '../../../platform/http/allowance.ts'

/**
 * In tenths of a millisecond of the processor: a network has two seconds at once, then three tenths
 * of a core.
 */
const work = {
  each: { atOnce: 20_000, perSecond: 3_000 },
  all: { atOnce: 60_000, perSecond: 10_000 },
}
const costs = { request: 60, addedItem: 1, heldItem: 8 }

/** A rate limit by cost on adding items and checking out: a cart has up to 100 items. */
export function createWorkLimit() {
  const allowance = createAllowance(work)
  return {
    spendRequest: (network: string): void => allowance.spend(network, costs.request),
    /** Also counted when the request is refused afterwards. */
    countAddedItems: (network: string, items: number): void =>
      allowance.take(network, items * costs.addedItem),
    countHeldItems: (network: string, items: number): void =>
      allowance.take(network, items * costs.heldItem),
  }
}
