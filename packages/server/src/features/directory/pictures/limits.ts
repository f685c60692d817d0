import { createAllowance } from '../../../platform/http/allowance.ts'

/** In bytes: the query of any request. */
export const costs = { least: 20_000 }

/** Files have megabytes. A network can load 30 of them at once, and then two a second. */
const bytes = {
  each: { atOnce: 60_000_000, perSecond: 4_000_000 },
  all: { atOnce: 240_000_000, perSecond: 20_000_000 },
}

export const createLimits = () => ({ bytes: createAllowance(bytes) })
