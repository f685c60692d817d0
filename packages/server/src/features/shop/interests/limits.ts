import { createAllowance } from '../../../platform/http/allowance.ts'

/** Registering takes 6 ms of CPU. */
const registered = {
  each: { atOnce: 300, perSecond: 30 },
  all: { atOnce: 1_000, perSecond: 100 },
}

export const createLimits = () => ({ registered: createAllowance(registered) })
