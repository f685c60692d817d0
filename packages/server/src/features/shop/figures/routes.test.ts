import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { at, grant } from '../../../../test/support/ids.ts'
import { type Person, registerAs } from '../../../../test/support/people.ts'
import { type TestService, testService } from '../../../../test/support/service.ts'
import { addJob } from '../../../platform/jobs/jobs.ts'
import { dayMs, minuteMs } from '../../../platform/time.ts'

type Figure = {
  total: number
  total_in_cents?: number
  days: { day: string; count: number; amount_in_cents?: number }[]
}
type Figures = Record<
  | 'sales'
  | 'refunds'
  | 'sign_ups'
  | 'refund_requests'
  | 'open_reports'
  | 'failed_jobs'
  | 'unsent_mails',
  Figure
>

let service: TestService
let admin: Person
beforeAll(async () => {
  // The figures are of days, and midnight may pass between the entries and the count.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  // Without a worker, jobs and emails stay in their queues.
  service = await testService()
  admin = await registerAs(service, 'Admin')
  const now = service.clock.now()
  const ago = (days: number) => new Date(now.getTime() - days * dayMs)
  const { db } = service
  const insertPaidOrder = async (at: Date, cents: number, requestedAt?: Date) => {
    const { rows } = await sql<{ id: string }>`
      insert into orders (user_id, status, is_current, paid_at, refund_requested_at, created_at,
        updated_at)
      values (${admin.id}, 'Paid', false, ${at}, ${requestedAt ?? null}, ${at}, ${at})
      returning id`.execute(db)
    const enter = (kind: string, amount: number) =>
      sql`insert into ledger_entries (order_id, kind, amount_in_cents, provider, reference,
          created_at)
        values (${rows[0]?.id}::uuid, ${kind}, ${amount}, 'card', gen_random_uuid()::text, ${at})`.execute(
        db,
      )
    await enter('payment', cents)
    return enter
  }
  await insertPaidOrder(now, 1_500)
  await insertPaidOrder(now, 500)
  const enter = await insertPaidOrder(ago(29), 700, ago(29))
  await enter('refund', -300)
  await insertPaidOrder(ago(31), 9_900, ago(45))
  const returned = await insertPaidOrder(ago(5), 4_400)
  await returned('refund', -4_400)
  await sql`update orders set status = 'Cancelled', paid_at = null
    where paid_at = ${ago(5)}`.execute(db)
  await sql`insert into users (created_at, updated_at)
    values (${ago(3)}, ${now}), (${ago(3)}, ${now}), (${ago(40)}, ${now})`.execute(db)
  const reported = { category: 'scam', text: 'It pretends to be my bank.' }
  const id = await grant(admin, { user_id: admin.id })
  expect((await service.post(`${at(id)}/reports`, reported)).status).toBe(200)
  await addJob(db, 'test.failing')
  await sql`update graphile_worker._private_jobs set attempts = 2, created_at = ${ago(2)}
    where task_id = (select id from graphile_worker._private_tasks where identifier = 'test.failing')`.execute(
    db,
  )
  await sql`insert into messages (id, channel, kind, status, created_at, give_up_at, finished_at)
    values (gen_random_uuid(), 'mail', 'welcome', 'failed', ${ago(1)}, ${now}, ${now}),
      (gen_random_uuid(), 'mail', 'welcome', 'sent', ${ago(1)}, ${now}, ${now}),
      (gen_random_uuid(), 'sms', 'code', 'failed', ${ago(1)}, ${now}, ${now})`.execute(db)
})
// The service shows figures of the same minute again.
beforeEach(() => service.clock.advance(minuteMs))
afterAll(async () => {
  vi.useRealTimers()
  await service?.close()
})

const read = async (by: Pick<Person, 'get'> = admin) =>
  (await by.get('/api/admin/figures')).json<Figures>()
const daysAgo = ({ days }: Figure, ago: number) => days.at(-1 - ago)

it('the operators’ start page counts 30 days of sales, refunds and sign-ups, and the queues', async () => {
  const figures = await read()
  for (const { days } of [figures.sales, figures.failed_jobs]) {
    expect(days).toHaveLength(30)
    expect(days.map(({ day }) => day)).toEqual(days.map(({ day }) => day).toSorted())
  }
  expect(figures.sales).toMatchObject({ total: 3, total_in_cents: 2_700 })
  expect(daysAgo(figures.sales, 0)).toMatchObject({ count: 2, amount_in_cents: 2_000 })
  expect(daysAgo(figures.sales, 29)).toMatchObject({ count: 1, amount_in_cents: 700 })
  expect(daysAgo(figures.sales, 5)).toMatchObject({ count: 0, amount_in_cents: 0 })
  // The refund of a cancelled order is a refund, but its payment was no sale.
  expect(figures.refunds).toMatchObject({ total: 2, total_in_cents: 4_700 })
  expect(daysAgo(figures.sign_ups, 3)?.count).toBe(2)
  // A queue also counts entries that are older than the shown days.
  expect(figures.refund_requests.total).toBe(2)
  expect(daysAgo(figures.refund_requests, 29)?.count).toBe(1)
  expect(figures.open_reports.total).toBe(1)
  expect(figures.failed_jobs.total).toBe(1)
  expect(daysAgo(figures.failed_jobs, 2)?.count).toBe(1)
  expect(figures.unsent_mails.total).toBe(1)
  expect(daysAgo(figures.unsent_mails, 1)?.count).toBe(1)
})

it('the operators’ start page counts at most once a minute', async () => {
  const before = await read()
  await sql`insert into users (created_at, updated_at)
    values (${service.clock.now()}, now())`.execute(service.db)
  expect(await read()).toEqual(before)
  service.clock.advance(minuteMs)
  expect((await read()).sign_ups.total).toBe(before.sign_ups.total + 1)
})

it('the operators’ start page shows an API key only the figures of its scopes', async () => {
  const response = await admin.post('/api/api_keys', {
    name: 'monitor',
    scopes: ['domainAction:read'],
  })
  // The email about the key is unsent as well.
  onTestFinished(async () => {
    await sql`delete from messages where kind not in ('welcome', 'code')`.execute(service.db)
  })
  const headers = { 'x-api-key': response.json<{ api_key: string }>().api_key }
  const answer = await service.get('/api/admin/figures', { headers })
  expect(Object.keys(answer.json()).toSorted()).toEqual([
    'as_of',
    'failed_jobs',
    'unsent_mails',
    'withheld',
  ])
  const user = await registerAs(service, 'User')
  expect((await user.get('/api/admin/figures')).status).toBe(403)
})

it('the operators’ start page reads only the indexes of the counted days among many rows', async () => {
  await sql`insert into users (first_name, created_at, updated_at)
    select 'Many', now() - interval '5 hours' * n, now() from generate_series(1, 4000) as n`.execute(
    service.db,
  )
  onTestFinished(async () => {
    await sql`delete from users where first_name = 'Many'`.execute(service.db)
  })
  await sql`vacuum analyze users`.execute(service.db)
  const { rows } = await sql<Record<string, string>>`explain
    select (created_at at time zone 'UTC')::date::text as day, count(*)::int as count
    from users where created_at >= ${new Date(Date.now() - 30 * dayMs)} group by 1`.execute(
    service.db,
  )
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  expect(plan).toContain('users_created_at')
  expect(plan).not.toContain('Seq Scan')
})
