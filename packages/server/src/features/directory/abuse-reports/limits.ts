import { createAllowance } from '../../../platform/http/allowance.ts'

export type Limits = ReturnType<typeof createLimits>

/** Operators read every report: ten at once, then ten an hour per network. */
const filed = {
  each: { atOnce: 10, perSecond: 1 / 360 },
  all: { atOnce: 500, perSecond: 1 },
}

export const createLimits = () => ({ filed: createAllowance(filed) })
