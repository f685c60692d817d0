import { createAllowance } from '../../../platform/http/allowance.ts'

export type Limits = ReturnType<typeof createLimits>

/** One for the list, and one for each word: the query searches every id of the owner. */
const words = {
  each: { atOnce: 300, perSecond: 30 },
  all: { atOnce: 1_500, perSecond: 150 },
}

export const createLimits = () => ({ words: createAllowance(words) })
