import { singleValueKey, type Tag } from '@emojid/core'
import type { NewRecord, StoredRecord } from '../api/records.ts'

/** One change: the removed records and the new one. */
export type Pair = { before: readonly StoredRecord[]; after?: NewRecord | undefined }

/** Pairs removed and added records that replace each other. */
export function pairUp(
  removedRecords: readonly StoredRecord[],
  addedRecords: readonly StoredRecord[],
): (Pair & { after?: StoredRecord | undefined })[] {
  const remainingRecords = [...removedRecords]
  const pairs = addedRecords.map((after) => {
    const nth = remainingRecords.findIndex((before) => isRival(before, after))
    return { before: nth < 0 ? [] : remainingRecords.splice(nth, 1), after }
  })
  return [...pairs, ...remainingRecords.map((before) => ({ before: [before] }))]
}

/** Whether two records have the same purpose, so that one usually replaces the other. */
export function isRival(one: NewRecord, other: NewRecord): boolean {
  const [key, otherKey] = [one, other].map(({ tag, data }) =>
    singleValueKey({ tag: tag as Tag, data }),
  )
  return key !== undefined && key === otherKey
}
