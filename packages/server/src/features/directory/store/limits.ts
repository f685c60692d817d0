import { createAllowance } from '../../../platform/http/allowance.ts'

export type Limits = ReturnType<typeof createLimits>

const megabyte = 1_000_000

/**
 * `read` is reserved for each entry until its length is known; `least` is the query of any read, and
 * `write` the minimum for any body.
 */
export const costs = { read: 64_000, least: 20_000, write: 10_000 }

/** A request of 100 bytes can read over 1 MB. */
const readBytes = { atOnce: 20 * megabyte, perSecond: 2 * megabyte }
const answers = { each: readBytes, all: { atOnce: 100 * megabyte, perSecond: 10 * megabyte } }
/** Large pages of one network do not delay readers in other networks. */
const pages = { each: readBytes }

/** Reading and writing the longest entry takes 20 ms of CPU, the shortest 6. */
const writeLimits = {
  each: { atOnce: 20 * megabyte, perSecond: megabyte },
  all: { atOnce: 60 * megabyte, perSecond: 3 * megabyte },
}

export const createLimits = () => ({
  answers: createAllowance(answers),
  pages: createAllowance(pages),
  written: createAllowance(writeLimits),
})
