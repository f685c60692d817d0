import {
  type ColumnType,
  type Generated,
  type GeneratedAlways,
  type Insertable,
  type Selectable,
  sql,
} from 'kysely'
import { rewrapColumn } from '../../../platform/database/rewrap.ts'
import { jobCall } from '../../../platform/jobs/jobs.ts'
import type { Database, Tables, Transaction } from '../../../tables.ts'
import type { CloseReason, Provider, ProviderMethod } from '../orders/orders.ts'

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

/** How long an account held an id or a lootbox for an order. */
export type HoldTimesTable = {
  id: GeneratedAlways<number>
  user_id: string
  /** The emoji id, or the id of the lootbox. */
  held: string
  order_id: string
  began_at: Date
  /** When the hold ends or ended. */
  ended_at: Date
}

export const insertAttempt = (
  trx: Transaction,
  attempt: Insertable<Tables['payment_attempts']>,
): Promise<Attempt> =>
  trx.insertInto('payment_attempts').values(attempt).returningAll().executeTakeFirstOrThrow()

export const findAttempt = (db: Database, id: string) =>
  db.selectFrom('payment_attempts').selectAll().where('id', '=', id).executeTakeFirst()

/** The attempt of an order that can still be paid. */
export const findOpen = (db: Database, order_id: string) =>
  db
    .selectFrom('payment_attempts')
    .selectAll()
    .where('order_id', '=', order_id)
    .where('status', '=', 'open')
    .executeTakeFirst()

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

/** Stores the amount that the provider has now, unless the attempt has changed since it was read. */
export async function setAmount(
  db: Database,
  { id, amount_in_cents: before }: Attempt,
  amount_in_cents: number,
  items: string,
): Promise<boolean> {
  const row = await db
    .updateTable('payment_attempts')
    .set({ amount_in_cents, snapshot: sql`${items}::json` })
    .where('id', '=', id)
    .where('status', '=', 'open')
    .where('amount_in_cents', '=', before)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Closes an open attempt, and queues its check. */
export const close = (trx: Transaction, id: string, task: string, check_at: Date) =>
  sql`
  with attempt as (
    update payment_attempts set status = 'closed', sealed = null, check_at = ${check_at}
    where id = ${id} and status = 'open' returning id
  )
  select ${jobOf(task)} from attempt`.execute(trx)

/** Not once a concurrent checkout has stored the object: that is checked a minute later. */
export const setSearch = (db: Database, id: string, check_at: Date | null) =>
  db
    .updateTable('payment_attempts')
    .set({ check_at })
    .where('id', '=', id)
    .where('reference', 'is', null)
    .execute()

type State = {
  seen_at: Date | null
  isOver: boolean
  seen_in_hold?: boolean
  check_at?: Date | null
}

/** Stores whether money arrived or is pending, or vanished, and closes a finished attempt. */
export const saveState = (trx: Transaction, id: string, { seen_at, isOver, ...change }: State) =>
  trx
    .updateTable('payment_attempts')
    .set({
      ...change,
      seen_at: seen_at && sql<Date>`coalesce(seen_at, ${seen_at})`,
      ...(isOver ? { status: 'closed' as const, sealed: null } : {}),
    })
    .where('id', '=', id)
    .execute()

export const setSealed = (trx: Transaction, id: string, sealedText: string, methods: string) =>
  trx
    .updateTable('payment_attempts')
    .set({ sealed: sealedText, methods })
    .where('id', '=', id)
    .where('status', '=', 'open')
    .execute()

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

export const setLateOrder = (trx: Transaction, id: string, late_order_id: string) =>
  trx.updateTable('payment_attempts').set({ late_order_id }).where('id', '=', id).execute()

export const findDue = (db: Database, at: Date, limit: number) =>
  db
    .selectFrom('payment_attempts')
    .select('id')
    .where('check_at', '<=', at)
    .orderBy('check_at')
    .limit(limit)
    .execute()

/** The call that queues a job of `attempt`. */
const jobOf = (task: string) =>
  jobCall(task, sql`json_build_object('id', attempt.id)`, {
    key: sql`${`${task}:`}::text || attempt.id`,
    max_attempts: 100,
  })

export async function queueJobs(db: Database, task: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`select ${jobOf(task)} from payment_attempts attempt
    where id = any (${ids}::uuid[]) order by id`.execute(db)
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
  db: Database,
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

export const forgetEventsBefore = (db: Database, at: Date) =>
  db.deleteFrom('payment_events').where('created_at', '<', at).execute()

export const rewrap = (db: Database, anew: (id: string, sealedText: string) => string) =>
  rewrapColumn(db, { table: 'payment_attempts', column: 'sealed' }, anew)

export const insertHoldTimes = (trx: Transaction, times: Insertable<Tables['hold_times']>[]) =>
  trx.insertInto('hold_times').values(times).execute()

/** Holds of an account that ended after `since`, oldest first. */
export const findHoldTimes = (
  trx: Transaction,
  { user_id, held, since }: { user_id: string; held: readonly string[]; since: Date },
) =>
  trx
    .selectFrom('hold_times')
    .select(['held', 'began_at', 'ended_at'])
    .where('user_id', '=', user_id)
    .where('held', 'in', held)
    .where('ended_at', '>', since)
    .orderBy('began_at')
    .execute()

export const endHoldTimes = (trx: Transaction, order_id: string, at: Date) =>
  trx
    .updateTable('hold_times')
    .set({ ended_at: at })
    .where('order_id', '=', order_id)
    .where('ended_at', '>', at)
    .execute()

/** Moves the end of the current hold of an order; returns false if no hold is counted. */
export async function moveHoldTimes(
  trx: Transaction,
  { order_id, endedAfter, until }: { order_id: string; endedAfter: Date; until: Date },
): Promise<boolean> {
  const endedTimes = await trx
    .updateTable('hold_times')
    .set({ ended_at: until })
    .where('order_id', '=', order_id)
    .where('ended_at', '>=', endedAfter)
    .returning('id')
    .execute()
  return endedTimes.length > 0
}

/** Only for items the order bought: other ids that it held earlier stay counted. */
export const removeHoldTimes = (trx: Transaction, order_id: string, heldItems: readonly string[]) =>
  trx
    .deleteFrom('hold_times')
    .where('order_id', '=', order_id)
    .where('held', 'in', heldItems)
    .execute()

export const forgetHoldTimesBefore = (db: Database, at: Date) =>
  db.deleteFrom('hold_times').where('ended_at', '<=', at).execute()
