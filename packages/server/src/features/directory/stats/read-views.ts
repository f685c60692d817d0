import type { EmojiId } from '@emojid/core'
import type { Deps } from './deps.ts'
import * as counts from './repository.ts'
import { countedWindow, dayOf } from './rules.ts'

/** How often ids were looked up on the closed days of the past month. */
export async function readViews(
  { db, now }: Deps,
  ids: readonly EmojiId[],
): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const { start, finish } = countedWindow(now())
  const rows = await counts.sumViews(db, ids, dayOf(start), dayOf(finish))
  return new Map(rows.map(({ emoji_id, views }) => [emoji_id, Number(views)]))
}
