import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { purgeEvents } from '../../src/features/operations/events/events.ts'
import { backUp } from '../../src/platform/database/backup/backup.ts'
import { restore } from '../../src/platform/database/backup/restore.ts'
import { createLog } from '../../src/platform/log/log.ts'
import { dayMs } from '../../src/platform/time.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { grant, newId } from '../support/ids.ts'
import { registerAs } from '../support/people.ts'
import { type TestService, testService } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'
import { addEndpoint, deliveriesOf, recordEvent, webhookReceiver } from '../support/webhooks.ts'

const log = createLog('silent')
const progress = () => {}
const env = { ROLES: 'api,auth,web,worker' }
let folder: string
let service: TestService
let copy: TestDatabase
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'emojid-epoch-'))
  service = await testService({ env })
  copy = await testDatabase('empty')
})
afterAll(async () => {
  await service.close()
  await copy.drop()
  await rm(folder, { recursive: true })
})

type Page = { data: { cursor: string }[]; next: string }

it('a restored backup begins a new epoch: earlier cursors get 410, new ones work', async () => {
  const admin = await registerAs(service, 'Admin')
  const read = async (at: Pick<typeof service, 'get'>, after?: string) =>
    at.get(`/api/events${after ? `?after=${after}` : ''}`)
  const { next: before } = (await read(service)).json<Page>()
  await grant(admin, { user_id: admin.id })
  await expect
    .poll(async () => (await read(service, before)).json<Page>().data.length)
    .toBeGreaterThan(0)
  const { next } = (await read(service, before)).json<Page>()
  const { watch } = (await service.post('/api/events/watch', { emoji_ids: [newId()] })).json<{
    watch: string
  }>()
  const receiver = await webhookReceiver()
  onTestFinished(receiver.close)
  const endpoint = await addEndpoint(admin, receiver.url)
  await admin.patch(`/api/webhook_endpoints/${endpoint.id}`, { is_paused: true })
  const event_id = await recordEvent(service, 'order.paid', [{ user_id: admin.id }])
  await waitUntil(async () => (await deliveriesOf(admin, endpoint.id)).length === 1)
  const target = join(folder, 'backup')
  await backUp({ connectionString: service.database?.url }, target, progress)
  await restore({ connection: { connectionString: copy.url }, folder: target, log, progress })
  const restored = await testService({ env, databaseUrl: copy.url })
  try {
    // The first turn of the sequencer compares the place.
    await expect.poll(async () => (await read(restored, next)).status).toBe(410)
    const { next: fresh } = (await read(restored)).json<Page>()
    expect(fresh.split('-')[0]).not.toBe(next.split('-')[0])
    expect((await read(restored, fresh)).status).toBe(200)
    expect((await read(service, next)).status).toBe(200)

    // The watch is in the backup, and its hour continues.
    const watched = await restored.get(`/api/events?after=${fresh}&watch=${watch}`)
    expect(watched.status).toBe(200)
    // The paused endpoint has the delivery of the backup, and later events; replays need new cursors.
    const token = { authorization: `Bearer ${admin.tokens.access_token}` }
    const at = `/api/webhook_endpoints/${endpoint.id}`
    const later = await recordEvent(restored, 'order.paid', [{ user_id: admin.id }])
    const eventIds = async () =>
      (await restored.get(`${at}/deliveries`, { headers: token }))
        .json<{ data: { event_id: string }[] }>()
        .data.map(({ event_id }) => event_id)
    await expect.poll(eventIds).toEqual([later, event_id])
    await restored.patch(at, { is_paused: false }, { headers: token })
    const replay = (after: string) => restored.post(`${at}/replay`, { after }, { headers: token })
    expect((await replay(next)).json()).toMatchObject({ code: 'unknown_cursor' })
    await waitUntil(() => receiver.eventIds().includes(later))
    expect(new Set(receiver.eventIds())).toEqual(new Set([event_id, later]))
  } finally {
    await restored.close()
  }
})

it('events are deleted after 30 days: earlier cursors get 410 in every format, later ones work', async () => {
  const admin = await registerAs(service, 'Admin')
  const cursor = async () => (await service.get('/api/events')).json<Page>().next
  const start = await cursor()
  const before = await recordEvent(service, 'order.paid', [{ user_id: admin.id }])
  const middle = await cursor()
  service.clock.advance(31 * dayMs)
  const after = await recordEvent(service, 'order.paid', [{ user_id: admin.id }])
  await cursor()
  await purgeEvents(service.db, service.clock.now())
  const stored = await service.db.selectFrom('events').select('event_id').execute()
  expect(stored.map(({ event_id }) => event_id)).toEqual([after])
  expect(before).not.toBe(after)
  for (const accept of ['application/json', 'text/event-stream']) {
    const answer = await service.get(`/api/events?after=${start}`, { headers: { accept } })
    expect([answer.status, answer.json()['code']]).toEqual([410, 'unknown_cursor'])
  }
  // The first event after this cursor is still stored.
  const page = (await service.get(`/api/events?after=${middle}`)).json<Page>()
  expect(page.next).not.toBe(middle)
})
