import { createAllowance } from '../../../platform/http/allowance.ts'

export type Limits = ReturnType<typeof createLimits>

/** Ids in batches. Single lookups have no rate limit. */
const ids = {
  each: { atOnce: 20_000, perSecond: 2_000 },
  all: { atOnce: 40_000, perSecond: 5_000 },
}

export const createLimits = () => ({ ids: createAllowance(ids) })
