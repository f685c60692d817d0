import { sql } from 'kysely'
import { pageBounds } from '../../../platform/http/api/paging.ts'
import type { Database } from '../../../tables.ts'
import { receivedAt } from '../transfers/transfers.ts'
import type { OwnIdQuery } from './routes.ts'
import type { SearchWords } from './rules.ts'

/** One page of the matching ids of a user, and their total. */
export async function findPage(
  db: Database,
  user_id: string,
  search: SearchWords,
  query: OwnIdQuery,
) {
  const { limit, offset } = pageBounds(query)
  const direction = query.dir === 'Asc' ? 'asc' : 'desc'
  const ownedQuery = search.reduce(
    (condition, texts) =>
      condition.where(
        sql<boolean>`exists (select from unnest(${texts}::text[]) as one where strpos(id.emoji_id, one) > 0)`,
      ),
    db
      .selectFrom('emoji_ids as id')
      .innerJoin('keys as key', 'key.pubkey', 'id.pubkey')
      .where('key.user_id', '=', user_id),
  )
  const [rows, { total }] = await Promise.all([
    ownedQuery
      .select(['id.emoji_id', 'id.display_format', 'id.bought_at', 'id.created_at'])
      .select(['id.blocked_until', 'id.signed_until', 'id.minted', 'id.frozen_at'])
      .select(['id.suspended_at', 'id.suspension_reason'])
      .select(receivedAt(user_id).as('received_at'))
      .orderBy('id.created_at', direction)
      .orderBy('id.emoji_id', direction)
      .limit(limit)
      .offset(offset)
      .execute(),
    ownedQuery.select(({ fn }) => fn.countAll<string>().as('total')).executeTakeFirstOrThrow(),
  ])
  return { rows, total: Number(total) }
}
