import { createAllowance } from '../../../platform/http/allowance.ts'

/** A request of 60 bytes can have a response of 280 kB. The limit counts per network. */
const pageBytes = { each: { atOnce: 20_000_000, perSecond: 2_000_000 } }

export const createLimits = () => ({ pageBytes: createAllowance(pageBytes) })

/** In files of a few thousand ids each. A crawler reads all of them at once, and then rarely. */
const files = { each: { atOnce: 220, perSecond: 1 }, all: { atOnce: 1_000, perSecond: 20 } }

export const createSitemapLimits = () => ({ files: createAllowance(files) })
