import { sql } from 'kysely'
import { pageBounds } from '../../../platform/http/api/paging.ts'
import type { Database } from '../../../tables.ts'
import type { SuspensionQuery } from './routes.ts'

/** A page of suspended ids, and their total. */
export async function findPage(db: Database, emoji_id: string | null, query: SuspensionQuery) {
  const { limit, offset } = pageBounds(query)
  const direction = query.dir === 'Asc' ? 'asc' : 'desc'
  const all = db
    .selectFrom('emoji_ids as id')
    .leftJoin('keys as key', 'key.pubkey', 'id.pubkey')
    .leftJoin('users as owner', 'owner.id', 'key.user_id')
    .leftJoin('organizations as organization', 'organization.id', 'key.organization_id')
    .leftJoin('users as operator', 'operator.id', 'id.suspended_by')
    .where('id.suspended_at', 'is not', null)
  const ofUser = query.user_id ? all.where('key.user_id', '=', query.user_id) : all
  const text = query.q?.trim().toLowerCase() ?? ''
  const matchingQuery =
    text === ''
      ? ofUser
      : ofUser.where(
          sql<boolean>`(id.emoji_id = ${emoji_id} or strpos(lower(concat_ws(' ',
            id.display_format, id.suspension_reason, owner.email, organization.name,
            operator.email)), ${text}) > 0)`,
        )
  const [rows, { total }] = await Promise.all([
    matchingQuery
      .select(['id.emoji_id', 'id.display_format', 'id.suspended_at', 'id.suspension_reason'])
      .select(['id.suspended_with_owner', 'key.user_id', 'key.organization_id'])
      .select(['owner.email as owner_email', 'organization.name as organization_name'])
      .select(['id.suspended_by', 'operator.email as suspended_by_email'])
      .orderBy('id.suspended_at', direction)
      .orderBy('id.emoji_id', direction)
      .limit(limit)
      .offset(offset)
      .execute(),
    matchingQuery.select(({ fn }) => fn.countAll<string>().as('total')).executeTakeFirstOrThrow(),
  ])
  return { rows, total: Number(total) }
}
