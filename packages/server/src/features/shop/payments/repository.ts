import {
  type ColumnType,
  type Generated,
  type Insertable,
  type Kysely,
  type Selectable,
  sql,
} from 'kysely'
import { rewrapColumn } from '../../../platform/database/rewrap.ts'
import { jobCall } from '../../../platform/jobs/jobs.ts'
import type { Database, Tables, Transaction } from '../../../tables.ts'

export type Provider = 'card' | 'crypto'

/** Payment methods of providers. */
export type ProviderMethod = 'CardCheckout' | 'WalletPay' | 'CryptoCommerce'

/** Why a payment was refunded or released instead of buying the order. */
export type CloseReason = 'barred_card' | 'removed_buyer' | 'closed_order' | 'risen_price'
export const closeReasons: readonly CloseReason[] = [
  'barred_card',
  'removed_buyer',
  'closed_order',
  'risen_price',
]

/** One row per object that a provider creates for an order. */
export type PaymentAttemptsTable = {
  id: Generated<string>
  order_id: string
  user_id: string
  /** The checkout of the order that it belongs to. */
  round: number
  method: ProviderMethod
  provider: Provider
  /** The provider's reference, once the object exists. */
  reference: string | null
  amount_in_cents: number
  /** The order when its payment was requested; a late payment buys this. */
  snapshot: ColumnType<unknown, string, never>
  /** The saved card that it charges. */
  payment_method: string | null
  /** The card is only authorized at first: the account used a barred card before. */
  is_capture_manual: Generated<boolean>
  success_url: string | null
  cancel_url: string | null
  /** The payment details, until it is closed. */
  sealed: string | null
  /** Cryptocurrency addresses shown to the buyer. */
  methods: ColumnType<unknown, string | undefined, string>
  /** Whether the buyer may still pay. */
  status: 'open' | 'closed'
  close_reason: CloseReason | null
  /** The order created for a late payment. */
  late_order_id: string | null
  /** When money for it was first seen. */
  seen_at: Date | null
  /** Whether the full amount was seen while the ids were held, and has not vanished since. */
  seen_in_hold: Generated<boolean>
  /** When to check the provider again. */
  check_at: Date | null
  expires_at: Date
  created_at: Date
}
export type Attempt = Selectable<PaymentAttemptsTable>

export type PaymentEventsTable = {
  provider: Provider
  event_id: string
  attempt_id: string | null
  created_at: Date
}

type Db = Kysely<Tables>

export const insertAttempt = (
  trx: Transaction,
  attempt: Insertable<Tables['payment_attempts']>,
): Promise<Attempt> =>
  trx.insertInto('payment_attempts').values(attempt).returningAll().executeTakeFirstOrThrow()

export const findAttempt = (db: Db, id: string) =>
  db.selectFrom('payment_attempts').selectAll().where('id', '=', id).executeTakeFirst()

export const findOpen = (db: Db, order_ids: readonly string[]) =>
  db
    .selectFrom('payment_attempts')
    .selectAll()
    .where('order_id', 'in', order_ids)
    .where('status', '=', 'open')
    .execute()

/** Stores the provider's object once. */
export const setObject = (
  db: Database,
  id: string,
  object: { reference: string; sealed: string; methods: string; check_at: Date },
) =>
  db
    .updateTable('payment_attempts')
    .set(object)
    .where('id', '=', id)
    .where('reference', 'is', null)
    .returning('status')
    .executeTakeFirst()

export const setAmount = (trx: Transaction, id: string, amount_in_cents: number, items: string) =>
  trx
    .updateTable('payment_attempts')
    .set({ amount_in_cents, snapshot: sql`${items}::json` })
    .where('id', '=', id)
    .execute()

export const closeOf = (trx: Transaction, order_id: string, check_at: Date) =>
  trx
    .updateTable('payment_attempts')
    .set({ status: 'closed', sealed: null, check_at })
    .where('order_id', '=', order_id)
    .where('status', '=', 'open')
    .returningAll()
    .execute()

export const setCheck = (db: Db, id: string, check_at: Date | null) =>
  db.updateTable('payment_attempts').set({ check_at }).where('id', '=', id).execute()

/** Stores whether money arrived or is pending, and closes a finished attempt. */
export const noteState = (
  trx: Transaction,
  id: string,
  { seen_at, isOver }: { seen_at: Date | null; isOver: boolean },
) =>
  trx
    .updateTable('payment_attempts')
    .set({
      seen_at: seen_at && sql`coalesce(seen_at, ${seen_at})`,
      ...(isOver ? { status: 'closed' as const, sealed: null } : {}),
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

export const setSealed = (trx: Transaction, id: string, sealedText: string, methods: string) =>
  trx
    .updateTable('payment_attempts')
    .set({ sealed: sealedText, methods })
    .where('id', '=', id)
    .where('status', '=', 'open')
    .execute()

/** The attempt of the newest payment of each order. */
export const findPaying = (db: Db, order_ids: readonly string[]) =>
  db
    .selectFrom('ledger_entries as entry')
    .innerJoin('payment_attempts', 'payment_attempts.id', 'entry.attempt_id')
    .selectAll('payment_attempts')
    .select('entry.order_id as paid_order_id')
    .distinctOn('entry.order_id')
    .where('entry.order_id', 'in', order_ids)
    .where('entry.kind', '=', 'payment')
    .orderBy('entry.order_id')
    .orderBy('entry.id', 'desc')
    .execute()

/** The orders whose current checkout has seen money. */
export const findOrdersWithMoney = (db: Db, order_ids: readonly string[]) =>
  db
    .selectFrom('payment_attempts')
    .innerJoin('orders', 'orders.id', 'payment_attempts.order_id')
    .select('order_id')
    .distinct()
    .where('order_id', 'in', order_ids)
    .where('seen_at', 'is not', null)
    .whereRef('payment_attempts.round', '=', 'orders.round')
    .execute()

export const findSeen = (db: Db, order_id: string, round: number) =>
  db
    .selectFrom('payment_attempts')
    .select('id')
    .where('order_id', '=', order_id)
    .where('round', '=', round)
    .where('seen_at', 'is not', null)
    .execute()

export const setSeenInHold = (trx: Transaction, id: string, seen_in_hold: boolean) =>
  trx
    .updateTable('payment_attempts')
    .set({ seen_in_hold })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

/** Returns false if it has a reason already. */
export async function setCloseReason(
  trx: Transaction,
  id: string,
  close_reason: CloseReason,
): Promise<boolean> {
  const row = await trx
    .updateTable('payment_attempts')
    .set({ close_reason })
    .where('id', '=', id)
    .where('close_reason', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function hasOtherCapture(
  trx: Transaction,
  { id, order_id, round }: Attempt,
): Promise<boolean> {
  const row = await trx
    .selectFrom('payment_attempts')
    .select('id')
    .where('order_id', '=', order_id)
    .where('round', '=', round)
    .where('id', '!=', id)
    .where('is_capture_manual', '=', true)
    .where('seen_at', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Of the last attempt in the current checkout of each order, or of the one that created it late. */
export async function findCloseReasons(db: Db, order_ids: readonly string[]) {
  const { rows } = await sql<{ id: string; close_reason: CloseReason | null }>`
    select distinct on (orders.id) orders.id, attempt.close_reason
    from orders join payment_attempts attempt
      on (attempt.order_id = orders.id and attempt.round = orders.round)
      or attempt.late_order_id = orders.id
    where orders.id = any (${order_ids}::uuid[])
    order by orders.id, attempt.created_at desc`.execute(db)
  return rows
}

export const setLateOrder = (trx: Transaction, id: string, late_order_id: string) =>
  trx.updateTable('payment_attempts').set({ late_order_id }).where('id', '=', id).execute()

export const findDue = (db: Db, at: Date, limit: number) =>
  db
    .selectFrom('payment_attempts')
    .select('id')
    .where('check_at', '<=', at)
    .orderBy('check_at')
    .limit(limit)
    .execute()

/**
 * The call that queues a job of `attempt`. The jobs of one order run one after the other: they would
 * wait for its lock. A queue per order would leave a row behind.
 */
const jobOf = (task: string) =>
  jobCall(task, sql`json_build_object('id', attempt.id)`, {
    key: sql`${`${task}:`}::text || attempt.id`,
    queue: sql`'payments:' || (get_byte(uuid_send(attempt.order_id), 15) & 63)`,
    max_attempts: 100,
  })

export async function queueJobs(db: Db, task: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`select ${jobOf(task)} from payment_attempts attempt
    where id = any (${ids}::uuid[])`.execute(db)
}

type ReceivedEvent = Omit<PaymentEventsTable, 'attempt_id'> & {
  /** The attempt that the event names. */
  named: string | null
  reference: string | null
}

/**
 * Stores an event once, and with a task queues its job, for the attempt that the event names or that
 * has its reference or a payment with it.
 */
export const storeEvent = (
  db: Db,
  { provider, event_id, created_at, named, reference }: ReceivedEvent,
  task: string | null,
) =>
  sql`
  with attempt as (
    select id, order_id from payment_attempts
    where provider = ${provider} and (id = ${named}::uuid or reference = ${reference}
      or id = (select attempt_id from ledger_entries
        where provider = ${provider} and reference = ${reference}))
    order by id = ${named}::uuid desc nulls last
    limit 1
  ),
  event as (
    insert into payment_events (provider, event_id, attempt_id, created_at)
    values (${provider}, ${event_id}, (select id from attempt), ${created_at})
    on conflict do nothing
    returning attempt_id
  )
  select ${task === null ? sql`null` : jobOf(task)}
  from event join attempt on attempt.id = event.attempt_id`.execute(db)

export const forgetEventsBefore = (db: Db, at: Date) =>
  db.deleteFrom('payment_events').where('created_at', '<', at).execute()

export const rewrap = (db: Database, anew: (id: string, sealedText: string) => string) =>
  rewrapColumn(db, { table: 'payment_attempts', column: 'sealed' }, anew)

/** Without the sealed payment details. */
export const findAttemptsOf = (db: Db, order_id: string) =>
  db
    .selectFrom('payment_attempts')
    .select(['id', 'round', 'method', 'provider', 'reference', 'amount_in_cents', 'status'])
    .select(['close_reason', 'late_order_id', 'seen_at', 'expires_at', 'created_at'])
    .where('order_id', '=', order_id)
    .orderBy('created_at')
    .execute()
