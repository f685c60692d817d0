import { pageBounds } from '../../../platform/http/paging.ts'
import type { Database } from '../../../tables.ts'
import type { SuspensionQuery } from './schema.ts'

/** A page of suspended ids, and their total. */
export async function findPage(db: Database, query: SuspensionQuery) {
  const { limit, offset } = pageBounds(query)
  const direction = query.dir === 'Asc' ? 'asc' : 'desc'
  const all = db
    .selectFrom('emoji_ids as id')
    .leftJoin('keys as key', 'key.pubkey', 'id.pubkey')
    .where('id.suspended_at', 'is not', null)
  const matchingQuery = query.user_id ? all.where('key.user_id', '=', query.user_id) : all
  const [rows, { total }] = await Promise.all([
    matchingQuery
      .select(['id.emoji_id', 'id.display_format', 'id.suspended_at', 'id.suspension_reason'])
      .select(['id.suspended_with_owner', 'key.user_id', 'key.organization_id'])
      .orderBy('id.suspended_at', direction)
      .orderBy('id.emoji_id', direction)
      .limit(limit)
      .offset(offset)
      .execute(),
    matchingQuery.select(({ fn }) => fn.countAll<string>().as('total')).executeTakeFirstOrThrow(),
  ])
  return { rows, total: Number(total) }
}
