import { sql } from 'kysely'
import { pageBounds } from '../../../platform/http/paging.ts'
import type { Database } from '../../../tables.ts'
import type { UseQuery } from './schema.ts'

export const hasOrder = (db: Database, id: string) =>
  db.selectFrom('orders').select('id').where('id', '=', id).executeTakeFirst()

export const hasCode = (db: Database, id: string) =>
  db.selectFrom('codes').select('id').where('id', '=', id).executeTakeFirst()

export const findEntries = (db: Database, order_id: string) =>
  db
    .selectFrom('ledger_entries as entry')
    .leftJoin('users', 'users.id', 'entry.actor_id')
    .select(['entry.id', 'kind', 'amount_in_cents', 'provider', 'reference', 'reason', 'actor_id'])
    .select(['users.email as actor_email', 'entry.created_at'])
    .where('order_id', '=', order_id)
    .orderBy('entry.id')
    .execute()

/** Without what the buyer pays with, which is sealed. */
export const findAttempts = (db: Database, order_id: string) =>
  db
    .selectFrom('payment_attempts')
    .select(['id', 'round', 'method', 'provider', 'reference', 'amount_in_cents', 'status'])
    .select(['late_order_id', 'seen_at', 'expires_at', 'created_at'])
    .where('order_id', '=', order_id)
    .orderBy('created_at')
    .execute()

export async function findUses(db: Database, code_id: string, query: UseQuery) {
  const { limit, offset } = pageBounds(query)
  const direction = query.dir === 'Asc' ? 'asc' : 'desc'
  const uses = db.selectFrom('code_uses as use').where('use.code_id', '=', code_id)
  const [rows, { total }] = await Promise.all([
    uses
      .innerJoin('orders', 'orders.id', 'use.order_id')
      .innerJoin('users', 'users.id', 'use.user_id')
      .select(['use.order_id', 'use.user_id', 'users.email', 'use.created_at', 'use.counted_at'])
      .select(['orders.status as order_status', idsOf(code_id).as('emoji_ids')])
      .select(sql<string>`right(use.order_id::text, 8)`.as('order_number'))
      .orderBy('use.created_at', direction)
      .orderBy('use.order_id', direction)
      .limit(limit)
      .offset(offset)
      .execute(),
    uses
      .select(({ fn }) => fn.countAll<string>().as('total'))
      .executeTakeFirstOrThrow() as Promise<{ total: string }>,
  ])
  return { rows, total: Number(total) }
}

const idsOf = (code_id: string) => sql<string[]>`array(
  select bought.display_format
  from order_items as discount
  join order_items as bought on bought.id = discount.parent_id
  where discount.order_id = use.order_id and discount.code_id = ${code_id}
    and bought.display_format is not null
  order by bought.position)`
