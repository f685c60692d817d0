import type { PriceTable } from '@emojid/core'

/** The number of scores with different prices. */
export const differences = (one: PriceTable, other: PriceTable): number =>
  one.filter((cents, nth) => cents !== (other[nth] ?? null)).length
