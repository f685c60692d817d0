import { createAllowance } from '../../../platform/http/allowance.ts'

export type Limits = ReturnType<typeof createLimits>

/** Per account: a replay must not flood a host that the account does not own. */
const replayedEvents = { each: { atOnce: 10_000, perSecond: 5 } }

/** Accounts are free to create, so those of one network share a limit. */
const replayedInNetwork = { each: { atOnce: 20_000, perSecond: 10 } }

/** New addresses, test events and redeliveries per network: accounts are free to create. */
const requests = { each: { atOnce: 120, perSecond: 1 } }

export const createLimits = () => ({
  replayedEvents: createAllowance(replayedEvents),
  replayedInNetwork: createAllowance(replayedInNetwork),
  requests: createAllowance(requests),
})
