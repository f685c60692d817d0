import { createAllowance } from '../../platform/http/allowance.ts'

/** The description has 400 kB. */
const descriptions = {
  each: { atOnce: 50, perSecond: 5 },
  all: { atOnce: 500, perSecond: 50 },
}

/** Requests for the API page and its files, six for each view; the largest has 1.5 MB. */
const files = {
  each: { atOnce: 300, perSecond: 15 },
  all: { atOnce: 3_000, perSecond: 60 },
}

export const createLimits = () => ({
  descriptions: createAllowance(descriptions),
  files: createAllowance(files),
})

const megabyte = 1_000_000

/**
 * Bytes of requests with an Idempotency-Key. They are kept for a day, so a network stores at most 230 MB; an
 * import of 100,000 ids stores 6.
 */
const storedBytes = {
  each: { atOnce: 50 * megabyte, perSecond: 2_000 },
  all: { atOnce: 500 * megabyte, perSecond: 20_000 },
}

export const createKeyLimits = () => ({ storedBytes: createAllowance(storedBytes) })
