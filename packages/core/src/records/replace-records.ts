import { type StoredRecord, singleValueKey } from '../payments/payment-view.ts'

type HashedRecord = StoredRecord & { hash: string }

/**
 * The records after an edit. A new record takes the place of a removed one with the same key, or
 * with the same tag in categories with any number of values. Other new records come last.
 */
export function replaceRecords<One extends HashedRecord>(
  current: readonly One[],
  removedHashes: ReadonlySet<string>,
  newRecords: readonly One[],
): One[] {
  const successors = new Map<string, One[]>()
  for (const record of newRecords) {
    const key = placeKey(record)
    successors.set(key, [...(successors.get(key) ?? []), record])
  }
  const placed = current.flatMap((record) =>
    removedHashes.has(record.hash)
      ? (successors.get(placeKey(record))?.splice(0, 1) ?? [])
      : [record],
  )
  const placedHashes = new Set(placed.map(({ hash }) => hash))
  return [...placed, ...newRecords.filter(({ hash }) => !placedHashes.has(hash))]
}

const placeKey = (record: StoredRecord): string => singleValueKey(record) ?? record.tag
