import { singleValueKey, type Tag } from '@emojid/core'
import type { NewRecord, StoredRecord } from '../api/records.ts'

/** One change: the removed records and the new one. */
export type Pair = { before: readonly StoredRecord[]; after?: NewRecord | undefined }

/** Pairs removed and added records that replace each other. */
export function pairUp(
  removed: readonly StoredRecord[],
  added: readonly StoredRecord[],
): (Pair & { after?: StoredRecord | undefined })[] {
  const left = [...removed]
  const pairs = added.map((after) => {
    const nth = left.findIndex((before) => isRival(before, after))
    return { before: nth < 0 ? [] : left.splice(nth, 1), after }
  })
  return [...pairs, ...left.map((before) => ({ before: [before] }))]
}

/** Whether two records have the same purpose, so that one usually replaces the other. */
export function isRival(one: NewRecord, other: NewRecord): boolean {
  const [key, otherKey] = [one, other].map(({ tag, data }) =>
    singleValueKey({ tag: tag as Tag, data }),
  )
  return key !== undefined && key === otherKey
}
