import { createAllowance } from '../../../platform/http/allowance.ts'

export type Limits = ReturnType<typeof createLimits>

/** An account with a hundred thousand ids has an export of a hundred megabytes. */
const byAccount = { each: { atOnce: 3, perSecond: 1 / 600 } }
const byNetwork = {
  each: { atOnce: 20, perSecond: 1 / 60 },
  all: { atOnce: 200, perSecond: 1 },
}

export const createLimits = () => ({
  byAccount: createAllowance(byAccount),
  byNetwork: createAllowance(byNetwork),
})
