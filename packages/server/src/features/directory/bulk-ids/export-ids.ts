import { byRecency } from '@emojid/core'
import type { Principal } from '../../operations/access/access.ts'
import { readEmojiId } from '../emoji-ids/emoji-ids.ts'
import type { Deps } from './bulk-ids.ts'
import { findPage } from './repository.ts'
import type { ExportQuery } from './schema.ts'

/** The same limit as for pages of lists. */
const pageLimit = 200

/** Returns a page of all ids, in the order of their emojis. */
export async function exportIds(
  { db, audit }: Deps,
  { user_id: actor_id }: Principal,
  { after, limit: requestedLimit }: ExportQuery,
) {
  const limit = Math.min(requestedLimit, pageLimit)
  const start = after === undefined ? {} : { after: readEmojiId(after) }
  const { rows: part, isMore } = await findPage(db, { ...start, limit })
  await audit.writeEntry(db, 'emoji_ids.exported', {
    actor_id,
    details: { after: after ?? null, count: part.length },
  })
  const data = part.map(({ canonical: _canonical, listed: _listed, records: all, ...id }) => ({
    ...id,
    // An import takes the most recent record last.
    records: byRecency(all).map(({ tag, data: text }) => ({ tag, data: text })),
  }))
  return { data, next: isMore ? (part.at(-1)?.canonical ?? null) : null }
}
