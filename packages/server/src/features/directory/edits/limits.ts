import { createAllowance } from '../../../platform/http/allowance.ts'

/** An edit of 200 records takes 25 ms of CPU; an edit of one record a third of that. */
const records = {
  each: { atOnce: 20_000, perSecond: 1_000 },
  all: { atOnce: 60_000, perSecond: 3_000 },
}

export const createLimits = () => ({ records: createAllowance(records) })
