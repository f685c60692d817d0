import { readAtOnce } from '../../../platform/database/database.ts'
import type { Options } from './deps.ts'
import * as figures from './repository.ts'
import { figureOf, firstDay } from './rules.ts'
import type { AllFigures } from './schema.ts'

export async function countFigures({ db, now }: Options): Promise<AllFigures> {
  const as_of = now()
  const since = firstDay(as_of)
  // One after another on one connection: the others stay free for lookups and purchases.
  const counts = await readAtOnce(db, async (trx) => ({
    orders: await figures.countPaidOrders(trx, since),
    money: await figures.sumMoney(trx, since),
    users: await figures.countSignUps(trx, since),
    requests: await figures.countOpenRequests(trx),
    reports: await figures.countOpenReports(trx),
    jobs: await figures.countFailedJobs(trx),
    mails: await figures.countUnsentMails(trx),
  }))
  const { orders, money } = counts
  const paidByDay = new Map(orders.map(({ day, count }) => [day, count]))
  // A late payment can arrive on a day without a sale, and a free order has no payment.
  const days = new Set([...orders, ...money].map(({ day }) => day))
  const receivedByDay = new Map(money.map((row) => [row.day, row.received]))
  const sales = [...days].map((day) => ({
    day,
    count: paidByDay.get(day) ?? 0,
    amount_in_cents: receivedByDay.get(day) ?? 0,
  }))
  const refunds = money.map((row) => ({
    day: row.day,
    count: row.refunds,
    amount_in_cents: row.refunded,
  }))
  return {
    as_of,
    sales: figureOf(sales, as_of, 'money'),
    refunds: figureOf(refunds, as_of, 'money'),
    sign_ups: figureOf(counts.users, as_of),
    refund_requests: figureOf(counts.requests, as_of),
    open_reports: figureOf(counts.reports, as_of),
    failed_jobs: figureOf(counts.jobs, as_of),
    unsent_mails: figureOf(counts.mails, as_of),
  }
}
