import { createAllowance } from '../../../platform/http/allowance.ts'

/** In bytes: the least that a refused event counts. */
export const costs = { least: 20_000 }

/** Only events that are refused count, so a provider is never limited. */
const forged = { each: { atOnce: 10_000_000, perSecond: 200_000 } }

export const createLimits = () => ({ forged: createAllowance(forged) })
