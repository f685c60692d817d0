/** Entries of one part; the keys of all of them are in memory. */
export const entriesAtMost = 100_000

export function* inBatches<Item>(items: readonly Item[], size: number) {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size)
}

export const fileName = (at: Date): string =>
  `emoji-id-account-${at.toISOString().slice(0, 10)}.json`
