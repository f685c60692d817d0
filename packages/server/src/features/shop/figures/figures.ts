import { bindUseCases } from '../../../platform/bind.ts'
import { createSharedValue } from '../../../platform/cache/shared-value.ts'
import { readAtOnce } from '../../../platform/database/database.ts'
import { withheldPart } from '../../../platform/http/api/schemas.ts'
import { minuteMs } from '../../../platform/time.ts'
import type { Database } from '../../../tables.ts'
import type { Principal } from '../../operations/access/access.ts'
import * as figures from './repository.ts'
import type { AllFigures, FigureSet } from './routes.ts'
import { figureOf, firstDay } from './rules.ts'

export type Options = { db: Database; now: () => Date }

type Deps = { loadFigures: () => Promise<AllFigures> }

export type Figures = ReturnType<typeof createFigures>

/** Counts of the last 30 days for operators. All operators share one count a minute. */
export function createFigures(options: Options) {
  const load = () => countFigures(options)
  const deps: Deps = {
    loadFigures: createSharedValue({ load, freshMs: minuteMs, now: options.now }),
  }
  return bindUseCases(deps, { showFigures })
}

/** Leaves out the figures whose scope the caller does not have. */
async function showFigures({ loadFigures }: Deps, { scopes }: Principal): Promise<FigureSet> {
  const { as_of, ...counted } = await loadFigures()
  const { sales, refunds, sign_ups, refund_requests, open_reports, ...queues } = counted
  const shown = {
    ...(scopes.has('order:read') ? { sales, refund_requests } : {}),
    ...(scopes.has('refund:read') ? { refunds } : {}),
    ...(scopes.has('user:list') ? { sign_ups } : {}),
    ...(scopes.has('adminEmoji:load') ? { open_reports } : {}),
    ...(scopes.has('domainAction:read') ? queues : {}),
  }
  return {
    as_of,
    ...shown,
    ...withheldPart(Object.keys(counted).filter((name) => !(name in shown))),
  }
}

async function countFigures({ db, now }: Options): Promise<AllFigures> {
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
