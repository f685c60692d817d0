import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { prepareRestored, releaseParked } from '../../src/commands/prepare-restored.ts'
import { backUp } from '../../src/platform/database/backup/backup.ts'
import { restore } from '../../src/platform/database/backup/restore.ts'
import { addJob } from '../../src/platform/jobs/jobs.ts'
import { createLog } from '../../src/platform/log/log.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { at, grant, newId } from '../support/ids.ts'
import { insertCardOrder } from '../support/paid-orders.ts'
import { bearer, type Person, registerAs } from '../support/people.ts'
import { type TestService, testService } from '../support/service.ts'
import { type ShopService, shopService } from '../support/shop.ts'
import { waitUntil } from '../support/wait.ts'
import { addEndpoint, recordEvent, webhookReceiver } from '../support/webhooks.ts'

const log = createLog('silent')
const progress = () => {}
const bitcoin = { tag: '0x1003', data: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' }
let folder: string
let shop: ShopService
let copy: TestDatabase
let admin: Person
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'emojid-restored-'))
  shop = await shopService()
  copy = await testDatabase('empty')
  admin = await registerAs(shop, 'Admin')
})
afterAll(async () => {
  await shop.close()
  await copy.drop()
  await rm(folder, { recursive: true })
})

type Page = { data: { data: { version: number } }[]; next: string }
const pageOf = async (of: Pick<TestService, 'get'>, after?: string) =>
  (await of.get(`/api/events${after ? `?after=${after}` : ''}`)).json<Page>()

/** A refund that is queued in the backup, and that the provider sends afterwards. */
async function queueRefund() {
  const { order_id, intent } = await insertCardOrder(shop, admin.id, [newId()])
  const operator = await registerAs(shop, 'Admin')
  await operator.post(`/api/orders/${order_id}/refund`, { reason: 'asked for it' })
  await waitUntil(async () => (await sentRefunds(intent)) === 1)
  await waitUntil(async () => (await statusOf(shop, order_id)) === 'done')
  await sql`update refunds set status = 'queued', reference = null, done_at = null,
    paid_out_at = null where order_id = ${order_id}`.execute(shop.db)
  const { id } = await shop.db
    .selectFrom('refunds')
    .select('id')
    .where('order_id', '=', order_id)
    .executeTakeFirstOrThrow()
  return { order_id, intent, id }
}
const sentRefunds = async (intent: string) =>
  (await shop.cards<{ data: object[] }>(`/refunds?payment_intent=${intent}`)).data.length
const statusOf = async ({ db }: Pick<TestService, 'db'>, order_id: string) =>
  (await db.selectFrom('refunds').select('status').where('order_id', '=', order_id).execute())[0]
    ?.status

it('a restored service gives no version twice, refuses earlier cursors, and sends nothing before it is released', async () => {
  const receiver = await webhookReceiver()
  onTestFinished(receiver.close)
  const endpoint = await addEndpoint(admin, receiver.url)
  await admin.patch(`/api/webhook_endpoints/${endpoint.id}`, { is_paused: true })
  const { next: start } = await pageOf(shop)
  const id = await grant(admin, { user_id: admin.id })
  const event_id = await recordEvent(shop, 'order.paid', [{ user_id: admin.id }])
  const refund = await queueRefund()
  await addJob(shop.db, 'probe.task', {}, { run_at: new Date(Date.now() + 3_600_000) })
  await addJob(shop.db, 'payments.refund', { id: refund.id }, { run_at: new Date(2 ** 42) })
  const { next } = await pageOf(shop)
  const target = join(folder, 'backup')
  await backUp({ connectionString: shop.database?.url }, target, progress)
  // After the backup: an edit, and a delivery.
  const edited = await admin.patch(at(id), { insert: [bitcoin] })
  expect(edited.status).toBe(200)
  await admin.patch(`/api/webhook_endpoints/${endpoint.id}`, { is_paused: false })
  await waitUntil(() => receiver.eventIds().includes(event_id))
  const lost = await pageOf(shop, next)
  const lostVersion = Math.max(...lost.data.map(({ data }) => data.version))
  const connection = { connectionString: copy.url }
  await restore({ connection, folder: target, log, progress })
  const sent = receiver.received.length

  const lines: string[] = []
  await prepareRestored(connection, log, (line) => void lines.push(line))
  await prepareRestored(connection, log, progress)
  expect(lines).toContain('Parked jobs payments.refund: 1')
  expect(lines).toContain('Parked jobs probe.task: 1')
  const restored = await testService({
    databaseUrl: copy.url,
    env: {
      ROLES: 'api,auth,web,worker',
      STRIPE_SECRET_KEY: 'sk_test_shop',
      STRIPE_WEBHOOK_SECRET: shop.secrets.card,
      STRIPE_API_URL: shop.sandboxUrl,
    },
  })
  onTestFinished(restored.close)
  await expect(prepareRestored(connection, log, progress)).rejects.toThrow('Stop all its processes')
  for (const cursor of [start, next, lost.next]) {
    expect((await restored.get(`/api/events?after=${cursor}`)).status).toBe(410)
  }
  const { headers } = bearer(admin.tokens.access_token)
  const own = `/api/webhook_endpoints/${endpoint.id}`
  const deliveries = async () =>
    (await restored.get(`${own}/deliveries`, { headers })).json<{
      data: { event_id: string; status: string; error: string | null }[]
    }>().data
  const stateOf = async () =>
    (await deliveries()).find((delivery) => delivery.event_id === event_id)?.status
  await restored.patch(own, { is_paused: false }, { headers })
  const { next: fresh } = await pageOf(restored)
  expect((await restored.patch(at(id), { insert: [bitcoin] }, { headers })).status).toBe(200)
  const later = await recordEvent(restored, 'order.paid', [{ user_id: admin.id }])
  // The new delivery is sent, and the older parked one is not.
  await waitUntil(() => receiver.eventIds().includes(later))
  const [change] = (await pageOf(restored, fresh)).data
  expect(change?.data.version).toBeGreaterThan(lostVersion)
  expect(receiver.eventIds().slice(sent)).not.toContain(event_id)
  expect(await stateOf()).toBe('cancelled')
  await addJob(restored.db, 'refunds.requeue')
  await waitUntil(async () => {
    const { rows } = await sql`select from graphile_worker.jobs
      where task_identifier = 'refunds.requeue' and key is null`.execute(restored.db)
    return rows.length === 0
  })
  expect(await statusOf(restored, refund.order_id)).toBe('queued')

  await expect(releaseParked(restored.db, ['mails'], progress)).rejects.toThrow('refunds, jobs')
  await releaseParked(restored.db, ['deliveries', 'refunds'], progress)
  await waitUntil(async () => (await stateOf()) === 'delivered')
  await sql`select graphile_worker.reschedule_jobs(array(
    select id from graphile_worker.jobs where task_identifier = 'payments.refund'
  ), run_at => now())`.execute(restored.db)
  await waitUntil(async () => (await statusOf(restored, refund.order_id)) === 'done')
  expect(await sentRefunds(refund.intent)).toBe(1)
})
