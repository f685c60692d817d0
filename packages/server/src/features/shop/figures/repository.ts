import { type RawBuilder, sql } from 'kysely'
import type { Transaction } from '../../../tables.ts'
import type { DayCount } from './rules.ts'

/** The day of a moment, in UTC. */
const dayOf = (column: string) => sql`(${sql.ref(column)} at time zone 'UTC')::date::text`

async function countByDay(db: Transaction, column: string, matching: RawBuilder<unknown>) {
  const { rows } = await sql<DayCount>`
    select ${dayOf(column)} as day, count(*)::int as count ${matching} group by 1`.execute(db)
  return rows
}

export const countPaidOrders = (db: Transaction, since: Date) =>
  countByDay(db, 'paid_at', sql`from orders where paid_at >= ${since}`)

export const countSignUps = (db: Transaction, since: Date) =>
  countByDay(db, 'created_at', sql`from users where created_at >= ${since}`)

export const countOpenRequests = (db: Transaction) =>
  countByDay(
    db,
    'refund_requested_at',
    sql`from orders where refund_requested_at is not null and refund_answered_at is null`,
  )

export const countOpenReports = (db: Transaction) =>
  countByDay(db, 'created_at', sql`from abuse_reports where decided_at is null`)

/** Jobs that failed and wait for a retry, or for an operator. */
export const countFailedJobs = (db: Transaction) =>
  countByDay(
    db,
    'created_at',
    sql`from graphile_worker.jobs where attempts > 0 and locked_at is null`,
  )

export const countUnsentMails = (db: Transaction) =>
  countByDay(db, 'created_at', sql`from messages where status <> 'sent' and channel = 'mail'`)

type MoneyRow = { day: string; received: number; refunds: number; refunded: number }

/**
 * Payments and refunds by the day of their ledger entry. A payment of an order that was never paid,
 * such as a late one that is refunded immediately, is no sale.
 */
export async function sumMoney(db: Transaction, since: Date): Promise<MoneyRow[]> {
  const { rows } = await sql<MoneyRow>`
    select ${dayOf('entry.created_at')} as day,
      coalesce(sum(amount_in_cents) filter (
        where kind in ('payment', 'cash') and orders.paid_at is not null), 0)::float8 as received,
      count(*) filter (where kind in ('refund', 'misc_refund'))::int as refunds,
      coalesce(sum(abs(amount_in_cents)) filter (where kind in ('refund', 'misc_refund')), 0)::float8
        as refunded
    from ledger_entries entry left join orders on orders.id = entry.order_id
    where entry.created_at >= ${since} group by 1`.execute(db)
  return rows
}
