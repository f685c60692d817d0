import { createAllowance } from '../../../platform/http/allowance.ts'

export type Limits = ReturnType<typeof createLimits>

/** Per account: a replay must not flood a host that the account does not own. */
const replayedEvents = { each: { atOnce: 10_000, perSecond: 5 } }

export const createLimits = () => ({ replayedEvents: createAllowance(replayedEvents) })
