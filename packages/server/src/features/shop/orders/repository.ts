import {
  type ColumnType,
  type Generated,
  type GeneratedAlways,
  type Insertable,
  type Selectable,
  sql,
  type Updateable,
} from 'kysely'
import { containsPattern, lowerText } from '../../../platform/database/contains-pattern.ts'
import { nestRows, reviveTimes } from '../../../platform/database/nested-rows.ts'
import { readPage } from '../../../platform/database/page.ts'
import { endOf, startOf } from '../../../platform/time.ts'
import { mapInTurns } from '../../../platform/turns.ts'
import type { Database, Tables, Transaction } from '../../../tables.ts'
import type { itemTypes, marks, OrderQuery, SaleSums, Status } from './schema.ts'

/** A cart or an order. */
export type OrdersTable = {
  id: Generated<string>
  user_id: string
  status: Status
  /** The cart of `/cart`; others are saved carts. */
  is_current: boolean
  /** Whether it has items. */
  is_filled: Generated<boolean>
  /** Raised by every checkout: a payment for an earlier round is late. */
  round: Generated<number>
  method: string | null
  /** The partner in whose flow the cart was filled. */
  organization_id: string | null
  /** The key that the buyer chose for their ids. */
  pubkey: string | null
  tracking_data: ColumnType<unknown, string | null, string | null>
  /** When the hold of its ids expires. */
  expires_at: Date | null
  /** When the hold would have expired before money was seen. */
  held_until: Date | null
  paid_at: Date | null
  refund_requested_at: Date | null
  refund_request: string | null
  /** When operators refunded or declined; null while the request is open. */
  refund_answered_at: Date | null
  /** Why operators declined. */
  refund_declined: string | null
  created_at: Date
  updated_at: Date
}
export type Order = Selectable<OrdersTable>

export type OrderItemsTable = {
  id: Generated<string>
  position: GeneratedAlways<number>
  order_id: string
  item_type: (typeof itemTypes)[number]
  emoji_id: string | null
  lootbox_id: string | null
  /** As the buyer typed it, with its skin tones. */
  display_format: string | null
  /** The discounted item. */
  parent_id: string | null
  code_id: string | null
  quantity: Generated<number>
  refunded_quantity: Generated<number>
  unit_price_in_cents: number
  client_fee_in_cents: Generated<number>
  company_fee_in_cents: Generated<number>
  /** The part of a discount that comes off the partner's fee. */
  client_fee_cut_in_cents: Generated<number>
  /**
   * Whether the item bears the partner's fee; not if it was in the cart before the partner's flow.
   */
  bears_client_fee: Generated<boolean>
  rhythm_score: number | null
  marked_invalid_at: Date | null
  marked_invalid_at_reason: (typeof marks)[number] | null
  created_at: Date
  updated_at: Date
}
export type OrderItem = Selectable<OrderItemsTable>

/** An order with everything that belongs to it. Under the lock of the order nothing of it changes. */
export type LoadedOrder = Awaited<ReturnType<typeof load>>[number]

/** An attempt to pay. It has the snapshot of its order only while it is open. */
export type Attempt = LoadedOrder['attempts'][number]

export const find = (db: Database, id: string) =>
  db.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirst()

/** Reads orders with one statement; in the order of their ids in the list. */
export async function load(db: Database, ids: readonly string[]) {
  const rows = await db
    .selectFrom('orders')
    .selectAll('orders')
    .select(({ selectFrom }) => [
      nestRows(
        selectFrom('order_items')
          .selectAll('order_items')
          .whereRef('order_items.order_id', '=', 'orders.id')
          .orderBy('position'),
      ).as('items'),
      nestRows(
        selectFrom('ledger_entries as entry')
          .select(['entry.kind', 'entry.amount_in_cents', 'entry.attempt_id', 'entry.provider'])
          .whereRef('entry.order_id', '=', 'orders.id')
          .orderBy('entry.id'),
      ).as('entries'),
      nestRows(
        selectFrom('disputes')
          .selectAll('disputes')
          .whereRef('disputes.order_id', '=', 'orders.id')
          .orderBy('disputes.created_at')
          .orderBy('disputes.id'),
      ).as('disputes'),
      // Also the attempt whose late money made the order.
      nestRows(
        selectFrom('payment_attempts as attempt')
          .select(['attempt.id', 'attempt.order_id', 'attempt.user_id', 'attempt.round'])
          .select(['attempt.method', 'provider', 'reference', 'amount_in_cents', 'payment_method'])
          .select(['is_capture_manual', 'success_url', 'cancel_url', 'sealed', 'methods'])
          .select(['attempt.status', 'close_reason', 'late_order_id', 'seen_at', 'seen_in_hold'])
          .select(['check_at', 'attempt.expires_at', 'attempt.created_at'])
          .select(sql<unknown>`case when attempt.status = 'open' then snapshot end`.as('snapshot'))
          .where((eb) =>
            eb.or([
              eb('attempt.order_id', '=', eb.ref('orders.id')),
              eb('attempt.late_order_id', '=', eb.ref('orders.id')),
            ]),
          )
          .orderBy('attempt.created_at'),
      ).as('attempts'),
      // Only for pending orders: the text of a code may change later, and this buyer must not learn
      // the new one.
      nestRows(
        selectFrom('code_uses')
          .innerJoin('codes', 'codes.id', 'code_uses.code_id')
          .select(['codes.id', 'codes.name', 'codes.sealed_code'])
          .whereRef('code_uses.order_id', '=', 'orders.id')
          .where('orders.status', '=', 'PendingPayment')
          .orderBy('code_uses.created_at')
          .orderBy('codes.id'),
      ).as('applied_codes'),
      selectFrom('refunds')
        .select(sql<number>`coalesce(sum(amount_in_cents), 0)::bigint`.as('sum'))
        .whereRef('refunds.order_id', '=', 'orders.id')
        .where('kind', '=', 'misc_refund')
        .where('refunds.status', '=', 'done')
        .where('paid_out_at', 'is not', null)
        .$asScalar()
        .$notNull()
        .as('misc_paid_out'),
    ])
    .where('orders.id', 'in', ids)
    .orderBy(sql`array_position(${ids}::uuid[], orders.id)`)
    .execute()
  return mapInTurns(rows, (row) => {
    for (const nested of [row.items, row.disputes, row.attempts]) reviveTimes(nested)
    return row
  })
}

/** Locks the order; returns false if it does not exist. */
export const lock = async (trx: Transaction, id: string): Promise<boolean> =>
  (await trx.selectFrom('orders').select('id').where('id', '=', id).forUpdate().execute()).length >
  0

export const findCurrent = (db: Database, user_id: string) =>
  db
    .selectFrom('orders')
    .selectAll()
    .where('user_id', '=', user_id)
    .where('is_current', '=', true)
    .executeTakeFirst()

export const lockCurrent = async (trx: Transaction, user_id: string) =>
  trx
    .selectFrom('orders')
    .select('id')
    .where('user_id', '=', user_id)
    .where('is_current', '=', true)
    .forUpdate()
    .executeTakeFirst()

/** Returns undefined if the user has another current cart. */
export const insert = (trx: Transaction, order: Insertable<Tables['orders']>) =>
  trx
    .insertInto('orders')
    .values(order)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()

export const update = (trx: Transaction, id: string, change: Updateable<Tables['orders']>) =>
  trx
    .updateTable('orders')
    .set(change)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

export type Change = Updateable<Tables['orders']>

export const move = (
  trx: Transaction,
  { id, from }: { id: string; from: Status },
  change: Change,
) =>
  trx
    .updateTable('orders')
    .set(change)
    .where('id', '=', id)
    .where('status', '=', from)
    .returningAll()
    .executeTakeFirstOrThrow()

export const countItems = async (db: Database, order_ids: readonly string[]): Promise<number> => {
  const { count } = await db
    .selectFrom('order_items')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('order_id', 'in', order_ids)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export const insertItems = (trx: Transaction, items: Insertable<Tables['order_items']>[]) =>
  trx.insertInto('order_items').values(items).returningAll().execute()

export const updateItem = (
  trx: Transaction,
  id: string,
  change: Updateable<Tables['order_items']>,
) =>
  trx
    .updateTable('order_items')
    .set(change)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

/** The price of an item, and its mark if it cannot be bought. */
export type ItemPrice = Pick<
  OrderItem,
  | 'id'
  | 'unit_price_in_cents'
  | 'client_fee_in_cents'
  | 'company_fee_in_cents'
  | 'marked_invalid_at'
  | 'marked_invalid_at_reason'
>

/** One statement for all items: a cart has up to 100. */
export const setPrices = (trx: Transaction, items: readonly ItemPrice[], at: Date) =>
  trx
    .updateTable('order_items as item')
    .from(
      sql<ItemPrice>`json_to_recordset(${JSON.stringify(items)}::json)`.as<'priced'>(
        sql`priced(id uuid, unit_price_in_cents bigint, client_fee_in_cents bigint,
          company_fee_in_cents bigint, marked_invalid_at timestamptz,
          marked_invalid_at_reason text)`,
      ),
    )
    .set((eb) => ({
      unit_price_in_cents: eb.ref('priced.unit_price_in_cents'),
      client_fee_in_cents: eb.ref('priced.client_fee_in_cents'),
      company_fee_in_cents: eb.ref('priced.company_fee_in_cents'),
      marked_invalid_at: eb.ref('priced.marked_invalid_at'),
      marked_invalid_at_reason: eb.ref('priced.marked_invalid_at_reason'),
      updated_at: at,
    }))
    .whereRef('item.id', '=', 'priced.id')
    .returningAll('item')
    .execute()

/** Cascades to the discounts of the removed items. */
export const removeItems = (trx: Transaction, ids: readonly string[]) =>
  trx.deleteFrom('order_items').where('id', 'in', ids).execute()

export const removeDiscounts = (trx: Transaction, order_id: string) =>
  trx
    .deleteFrom('order_items')
    .where('order_id', '=', order_id)
    .where('item_type', '=', 'Discount')
    .execute()

/** Without the sealed payment details. */
export const findAttemptsOf = (db: Database, order_id: string) =>
  db
    .selectFrom('payment_attempts')
    .select(['id', 'round', 'method', 'provider', 'reference', 'amount_in_cents', 'status'])
    .select(['close_reason', 'late_order_id', 'seen_at', 'expires_at', 'created_at'])
    .where('order_id', '=', order_id)
    .orderBy('created_at')
    .execute()

export const findLapsed = (db: Database, at: Date, limit: number) =>
  db
    .selectFrom('orders')
    .select('id')
    .where('status', '=', 'PendingPayment')
    .where('expires_at', '<=', at)
    .orderBy('expires_at')
    .limit(limit)
    .execute()

/** Locks the orders of a buyer whose refund request is open. */
export const findOpenRequests = (trx: Transaction, user_id: string) =>
  trx
    .selectFrom('orders')
    .selectAll()
    .where('user_id', '=', user_id)
    .where('refund_requested_at', 'is not', null)
    .where('refund_answered_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()

export const findPending = (db: Database, user_id: string) =>
  db
    .selectFrom('orders')
    .select('id')
    .where('user_id', '=', user_id)
    .where('status', '=', 'PendingPayment')
    .execute()

/** Sales of a partner cannot be searched by buyer. */
export type OrderFilter = OrderQuery & { isSale?: boolean }

export const findPage = (db: Database, query: OrderFilter) =>
  readPage(db, filterOrders(db, query), query)

function filterOrders(db: Database, query: OrderFilter) {
  const { user_id, organization_id, status, placed, filled, from, to, isSale } = query
  const { refund_requested, refund_request, emoji_id } = query
  const text = query.q?.trim() ?? ''
  return db
    .selectFrom('orders')
    .$if(user_id !== undefined, (rows) => rows.where('user_id', '=', user_id ?? ''))
    .$if(organization_id !== undefined, (rows) =>
      rows.where('organization_id', '=', organization_id ?? ''),
    )
    .$if(placed === true, (rows) => rows.where('status', '!=', 'Draft'))
    .$if(isSale === true, (rows) => rows.where(isSold))
    .$if(filled === true, (rows) => rows.where(sql<boolean>`(status <> 'Draft' or is_filled)`))
    .$if(refund_requested === true, (rows) => rows.where('refund_requested_at', 'is not', null))
    .$if(refund_request !== undefined, (rows) =>
      rows
        .where('refund_requested_at', 'is not', null)
        .where('refund_answered_at', refund_request === 'handled' ? 'is not' : 'is', null),
    )
    .$if(status !== undefined, (rows) => rows.where('status', '=', status ?? 'Draft'))
    .$if(from !== undefined, (rows) => rows.where('created_at', '>=', startOf(from ?? '')))
    .$if(to !== undefined, (rows) => rows.where('created_at', '<', endOf(to ?? '')))
    .$if(emoji_id !== undefined, (rows) => rows.where(sells(emoji_id ?? '')))
    .$if(text !== '', (rows) => rows.where(isSale ? names(text) : mentionsText(text)))
}

const sells = (emoji_id: string) => sql<boolean>`id = any (array(
  select order_id from order_items where emoji_id = ${emoji_id}
  union all
  select order_id from emoji_ids where emoji_id = ${emoji_id} and order_id is not null))`

/** A partner who saw unpaid orders could wait for their ids to become available. */
const isSold = sql<boolean>`(status = 'Paid' or status = 'Cancelled' and exists (
  select from ledger_entries entry where entry.order_id = orders.id))`

/** Sums of the paid orders. Fees are computed as for each single order. */
export async function sumSales(db: Database, query: OrderFilter): Promise<SaleSums> {
  const paidQuery = filterOrders(db, query).where('status', '=', 'Paid').select('id')
  const { rows } = await sql<Record<keyof SaleSums, string>>`
    with paid as materialized (${paidQuery}),
    item as (
      select item.id, item.order_id, item.parent_id, item.refunded_quantity,
        item.client_fee_in_cents, item.client_fee_cut_in_cents,
        item.quantity::numeric * (item.unit_price_in_cents + item.client_fee_in_cents
          + item.company_fee_in_cents) as price
      from order_items item join paid on paid.id = item.order_id
    ),
    discount as (
      select parent_id, sum(price) as price, sum(client_fee_cut_in_cents) as cut
      from item where parent_id is not null group by parent_id
    ),
    kept as (
      select item.order_id, sum(item.price + coalesce(discount.price, 0)) as price,
        sum(greatest(0, item.client_fee_in_cents - coalesce(discount.cut, 0))) as fee
      from item left join discount on discount.parent_id = item.id
      where item.parent_id is null and item.refunded_quantity = 0
      group by item.order_id
    ),
    money as (
      select entry.order_id, greatest(0, sum(entry.amount_in_cents)) as stayed,
        coalesce(sum(entry.amount_in_cents) filter (where entry.kind in ('payment', 'cash')), 0)
          as came
      from ledger_entries entry join paid on paid.id = entry.order_id
      -- Overrides and write-offs are not money of buyers.
      where entry.kind not in ('override', 'write_off')
      group by entry.order_id
    ),
    total as (select order_id, greatest(0, sum(price)) as price from item group by order_id)
    select (select count(*) from paid) as paid_orders,
      (select coalesce(sum(least(total.price, money.came)), 0)
        from total join money on money.order_id = total.order_id) as total_in_cents,
      (select coalesce(sum(abs(entry.amount_in_cents)), 0) from ledger_entries entry
        join paid on paid.id = entry.order_id where entry.kind = 'refund') as refunded_total_in_cents,
      (select coalesce(sum(case when coalesce(money.stayed, 0) >= kept.price then kept.fee
          else div(kept.fee * coalesce(money.stayed, 0), kept.price) end), 0)
        from kept left join money on money.order_id = kept.order_id
      ) as client_fee_in_cents
  `.execute(db)
  const [sums] = rows
  return {
    paid_orders: Number(sums?.paid_orders),
    total_in_cents: Number(sums?.total_in_cents),
    refunded_total_in_cents: Number(sums?.refunded_total_in_cents),
    client_fee_in_cents: Number(sums?.client_fee_in_cents),
  }
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const number = /^[0-9a-f]{8}$/i

/** Matches the id or the number of an order. */
function names(text: string) {
  if (uuid.test(text)) return sql<boolean>`id = ${text}::uuid`
  if (number.test(text)) return sql<boolean>`right(id::text, 8) = ${lowerText(text)}`
  return sql<boolean>`false`
}

/** `searchable` has an index, but contains more than the email address. */
function mentionsText(text: string) {
  if (uuid.test(text)) return sql<boolean>`(id = ${text}::uuid or user_id = ${text}::uuid)`
  if (number.test(text)) return names(text)
  return sql<boolean>`user_id in (select id from users
    where searchable like ${containsPattern(text)} and strpos(lower(email collate "C"), ${lowerText(text)}) > 0)`
}
