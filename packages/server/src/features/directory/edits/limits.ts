import { createAllowance } from '../../../platform/http/allowance.ts'

export type Limits = ReturnType<typeof createLimits>

/**
 * In records. Every edit reads, signs and stores all records of the id: 8 ms of CPU without any,
 * twice that and 80 kB of history with 200. `edit` is the part of any edit.
 */
export const costs = { edit: 25 }

const records = {
  each: { atOnce: 20_000, perSecond: 1_000 },
  all: { atOnce: 60_000, perSecond: 3_000 },
}

export const createLimits = () => ({ records: createAllowance(records) })
