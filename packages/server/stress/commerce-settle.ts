import { setTimeout as sleep } from 'node:timers/promises'
import type { AnyShop } from './commerce-stage.ts'
import { readStatement } from './commerce-statement.ts'

const lookEveryMs = 250

/** Pending work. Work scheduled for later does not count. */
const underWay = `
  select
    (select count(*)::int from graphile_worker.jobs
     where attempts < max_attempts and (run_at <= now() or attempts > 0)) as jobs,
    (select count(*)::int from orders
     where status = 'PendingPayment' and expires_at <= now()) as lapsed_orders,
    (select count(*)::int from refunds where status = 'queued') as refunds,
    (select count(*)::int from payment_attempts
     where status = 'closed' and reference is null and check_at is not null) as searches`

const unbooked = `
  select count(*)::int as payments from jsonb_to_recordset($1::jsonb)
    as told (provider text, reference text)
  left join ledger_entries l using (provider, reference) where l.id is null`

type RemainingWork = Record<'jobs' | 'lapsed_orders' | 'refunds' | 'searches' | 'payments', number>

/** Waits until no work is pending. Returns the duration, and the remaining work on timeout. */
export async function settle(
  shop: AnyShop,
  patienceMs: number,
): Promise<{ ms: number; left: RemainingWork }> {
  const start = Date.now()
  for (;;) {
    const [openWork] = await shop.query<Omit<RemainingWork, 'payments'>>(underWay)
    const remainder: RemainingWork = {
      jobs: 0,
      lapsed_orders: 0,
      refunds: 0,
      searches: 0,
      ...openWork,
      payments: 0,
    }
    if (sumOf(remainder) === 0) {
      const { payments } = await readStatement(shop)
      const [missing] = await shop.query<{ payments: number }>(unbooked, [JSON.stringify(payments)])
      remainder.payments = missing?.payments ?? 0
    }
    const ms = Date.now() - start
    if (sumOf(remainder) === 0 || ms > patienceMs) return { ms, left: remainder }
    await sleep(lookEveryMs)
  }
}

const sumOf = (remainder: RemainingWork): number =>
  Object.values(remainder).reduce((sum, count) => sum + count, 0)

/** Describes remaining work, if any. */
export const describeRemaining = ({ ms, left }: Awaited<ReturnType<typeof settle>>): string[] =>
  sumOf(left) === 0 ? [] : [`After ${ms} ms it is not settled: ${JSON.stringify(left)}`]
