import type { EmojiId } from '@emojid/core'
import { isStatementFault } from '../../../platform/database/faults.ts'
import type { Deps } from './deps.ts'
import * as counts from './repository.ts'
import {
  countedWindow,
  currentDay,
  dayOf,
  unknownViews,
  type Window,
  withEmptyDays,
} from './rules.ts'

/** How often ids were looked up on the closed days of the past month. */
export const readViews = (deps: Deps, ids: readonly EmojiId[]): Promise<Map<string, number>> =>
  sumViews(deps, ids, countedWindow(deps.now()))

/** How often an id was looked up today, as far as the processes have written their counts. */
export async function readViewsToday(deps: Deps, id: EmojiId) {
  const window = currentDay(deps.now())
  return { value: (await sumViews(deps, [id], window)).get(id) ?? 0, window }
}

/** Counts are never worth a failed request: ids whose counts cannot be read have -1. */
async function sumViews({ db }: Deps, ids: readonly EmojiId[], { start, finish }: Window) {
  if (ids.length === 0) return new Map<string, number>()
  try {
    const rows = await counts.sumViews(db, ids, dayOf(start), dayOf(finish))
    return new Map(rows.map(({ emoji_id, views }) => [emoji_id, Number(views)]))
  } catch (error) {
    if (!isStatementFault(error)) throw error
    return new Map(ids.map((id) => [id as string, unknownViews]))
  }
}

/** The counts of an id for each day of the past month and today; undefined while they cannot be read. */
export async function readDays({ db, now }: Deps, id: EmojiId) {
  const { start } = countedWindow(now())
  const { finish } = currentDay(now())
  try {
    const rows = await counts.findDays(db, id, dayOf(start), dayOf(finish))
    return withEmptyDays(start, finish, rows)
  } catch (error) {
    if (!isStatementFault(error)) throw error
    return undefined
  }
}
