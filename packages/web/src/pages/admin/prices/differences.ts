import type { PriceTable } from '@emojid/core'

/** How many scores cost something else. */
export const differences = (one: PriceTable, other: PriceTable): number =>
  one.filter((cents, nth) => cents !== (other[nth] ?? null)).length
