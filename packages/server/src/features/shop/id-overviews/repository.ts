import { sql } from 'kysely'
import type { Database } from '../../../tables.ts'

export const findHold = (db: Database, emoji_id: string, at: Date) =>
  db
    .selectFrom('holds')
    .select(['order_id', 'expires_at'])
    .where('emoji_id', '=', emoji_id)
    .where('expires_at', '>', at)
    .executeTakeFirst()

export const findReservation = (db: Database, emoji_id: string, at: Date) =>
  db
    .selectFrom('reservations')
    .select(['reason', 'lootbox_id', 'until'])
    .where('emoji_id', '=', emoji_id)
    .where(({ or, eb }) => or([eb('until', 'is', null), eb('until', '>', at)]))
    .executeTakeFirst()

/** The parts of its page data that an operator locked. */
export async function findLockedKeys(db: Database, emoji_id: string, at: Date) {
  const entries = await db
    .selectFrom('store_entries')
    .select('key')
    .where('emoji_id', '=', emoji_id)
    .where(({ or, eb }) =>
      or([eb('is_locked', '=', true), eb('locked_future_writes_at', '<=', at)]),
    )
    .orderBy('key')
    .execute()
  return entries.map(({ key }) => key)
}

export const findUser = (db: Database, id: string) =>
  db
    .selectFrom('users')
    .select(['id', 'email', 'first_name', 'last_name', 'role', 'deactivated_at'])
    .where('id', '=', id)
    .executeTakeFirst()

export const findOrganization = (db: Database, id: string) =>
  db.selectFrom('organizations').select(['id', 'name']).where('id', '=', id).executeTakeFirst()

type OrderRow = {
  id: string
  order_number: string
  status: 'Cancelled' | 'Draft' | 'Paid' | 'PendingPayment'
  user_id: string
  email: string | null
  price_in_cents: number | null
  refunded: boolean
  created_at: Date
  paid_at: Date | null
}

/** Orders with an item of the id, and the order whose lootbox had it; newest first. */
export async function findOrders(db: Database, emoji_id: string, limit: number) {
  const { rows } = await sql<OrderRow>`
    with bought as (
      select order_id, unit_price_in_cents + client_fee_in_cents + company_fee_in_cents as price,
        refunded_quantity > 0 as refunded
      from order_items where emoji_id = ${emoji_id}
      union all
      select order_id, null, false from emoji_ids
      where emoji_id = ${emoji_id} and order_id is not null and not exists (
        select from order_items item
        where item.order_id = emoji_ids.order_id and item.emoji_id = ${emoji_id})
    )
    select orders.id, right(orders.id::text, 8) as order_number, orders.status, orders.user_id,
      users.email, bought.price as price_in_cents, bought.refunded, orders.created_at,
      orders.paid_at
    from bought join orders on orders.id = bought.order_id join users on users.id = orders.user_id
    order by orders.created_at desc, orders.id
    limit ${limit}`.execute(db)
  return rows
}

/** Transfers of the id with both sides, newest first. */
export const findTransfers = (db: Database, emoji_id: string, limit: number) =>
  db
    .selectFrom('transfers')
    .leftJoin('users as sender', 'sender.id', 'transfers.sender_id')
    .leftJoin('users as recipient', 'recipient.id', 'transfers.recipient_id')
    .select([
      'transfers.id',
      'transfers.status',
      'transfers.sender_id',
      'sender.email as sender_email',
      'transfers.recipient_id',
      'recipient.email as recipient_email',
      'transfers.clear_on_transfer',
      'transfers.created_at',
      'transfers.accepted_at',
      'transfers.deleted_at',
    ])
    .where('transfers.emoji_id', '=', emoji_id)
    .orderBy('transfers.created_at', 'desc')
    .orderBy('transfers.id')
    .limit(limit)
    .execute()
