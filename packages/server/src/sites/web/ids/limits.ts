import { createAllowance } from '../../../platform/http/allowance.ts'

/** A request of 60 bytes can have an answer of 280 kB. Readers do not wait because of other networks. */
const pageBytes = { each: { atOnce: 20_000_000, perSecond: 2_000_000 } }

export const createLimits = () => ({ pageBytes: createAllowance(pageBytes) })
