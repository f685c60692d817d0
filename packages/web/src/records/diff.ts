import { singleValueKey, type Tag } from '@emojid/core'
import type { NewRecord, StoredRecord } from '../api/records.ts'

/** What one change does: some go, one comes. */
export type Pair = { before: readonly StoredRecord[]; after?: NewRecord | undefined }

/** What was there and what came, side by side where one took the place of the other. */
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

/** Whether two records say the same kind of thing, so that usually one of them is enough. */
export function isRival(one: NewRecord, other: NewRecord): boolean {
  const [key, otherKey] = [one, other].map(({ tag, data }) =>
    singleValueKey({ tag: tag as Tag, data }),
  )
  return key !== undefined && key === otherKey
}
