import { createAllowance } from '../../../platform/http/allowance.ts'

/** In tenths of a millisecond of CPU, with the work of PostgreSQL. Refused requests cost the check of their credentials. */
export const costs = { credentials: 20, read: 50, change: 120 }

/**
 * Requests with credentials: a network has a burst of ten seconds, then 0.3 of a core. That is 2,000
 * reads or 830 changes at once, then 60 or 25 a second.
 */
const work = {
  each: { atOnce: 100_000, perSecond: 3_000 },
  all: { atOnce: 300_000, perSecond: 8_000 },
}

export type Limits = ReturnType<typeof createLimits>

export const createLimits = () => ({ work: createAllowance(work) })

/** For routes that read more than one page of a list. */
export const countRead = ({ work }: Limits, network: string): void => work.take(network, costs.read)
