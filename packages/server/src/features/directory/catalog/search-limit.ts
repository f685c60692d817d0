import { createAllowance } from '../../../platform/http/allowance.ts'

/** How many ids a request reads and describes at most, or in its first round. */
const costs = { search: 60, random: 30, recent: 50 }
type Asked = keyof typeof costs

/**
 * A search takes 2 to 5 ms of the processor, as much as dozens of plain lookups. A network has 200 at
 * once and 40 a second: enough for a dozen people who type, and for a partner's server.
 */
const ids = {
  each: { atOnce: 12_000, perSecond: 2_400 },
  all: { atOnce: 36_000, perSecond: 6_000 },
}

export function createSearchLimit() {
  const allowance = createAllowance(ids)
  return (network: string, asked: Asked): void => allowance.spend(network, costs[asked])
}
