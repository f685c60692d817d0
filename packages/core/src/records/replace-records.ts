import { isPayable, type StoredRecord, singleValueKey } from '../payments/payment-view.ts'

type HashedRecord = StoredRecord & { hash: string }

/**
 * The records after an edit. A new record takes the place of a removed one with the same key, or
 * with the same tag in categories with any number of values. Other new records come last. Payments
 * see every new record as the most recent one, also in the place of another.
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
  const result = [...placed, ...newRecords.filter(({ hash }) => !placedHashes.has(hash))]
  return markRecent(result, new Set(newRecords.map(({ hash }) => hash)))
}

/** Marks only where the places alone would tell another order. */
function markRecent<One extends HashedRecord>(
  records: readonly One[],
  newHashes: ReadonlySet<string>,
): One[] {
  const recent = 1 + Math.max(0, ...records.map((record) => record.recent ?? 0))
  const marked = records.map((record) =>
    newHashes.has(record.hash) && isPayable(record.tag) ? { ...record, recent } : record,
  )
  const numbers = new Map<string, number[]>()
  for (const { tag, recent: number = 0 } of marked)
    numbers.set(tag, [...(numbers.get(tag) ?? []), number])
  const isTold = ({ tag }: One) =>
    numbers.get(tag)?.every((number, place, all) => number >= (all[place - 1] ?? 0))
  return marked.map((record) => (isTold(record) ? withoutRecency(record) : record))
}

/** The record, whose place alone counts. */
export function withoutRecency<One extends { recent?: number }>(record: One): One {
  if (record.recent === undefined) return record
  const { recent: _recent, ...rest } = record
  return rest as One
}

const placeKey = (record: StoredRecord): string => singleValueKey(record) ?? record.tag
