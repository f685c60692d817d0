import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { purgeEvents } from '../../src/features/operations/events/events.ts'
import { dayMs } from '../../src/platform/time.ts'
import { testDatabase } from '../support/database.ts'
import { grant } from '../support/ids.ts'
import { type Person, registerAs } from '../support/people.ts'
import { launchReady, newPlace } from '../support/process.ts'
import { type StreamingPair, streamingPair } from '../support/replica.ts'
import { type TestService, testService } from '../support/service.ts'
import { recordEvent } from '../support/webhooks.ts'

const env = { SEED_DEMO: 'false', ROLES: 'api' }
let pair: StreamingPair
let service: TestService
let admin: Person
beforeAll(async () => {
  pair = await streamingPair()
  service = await testService({ databaseUrl: pair.primary.url, env })
  admin = await registerAs(service, 'Admin')
})
afterAll(async () => {
  await service.close()
  await pair.stop()
})

type Page = { data: { id: string; cursor: string }[]; next: string }
type Reader = Pick<TestService, 'get'>

const read = async (at: Reader, after?: string) =>
  (await at.get(`/api/events${after ? `?after=${after}` : ''}`)).json<Page>()
const idsAfter = async (at: Reader, after: string) =>
  (await read(at, after)).data.map(({ id }) => id)
async function refusals(at: Reader, after: string) {
  const formats = ['application/json', 'text/event-stream']
  const answers = formats.map(async (accept) => {
    const answer = await at.get(`/api/events?after=${after}`, { headers: { accept } })
    return [answer.status, answer.json()['code']]
  })
  return Promise.all(answers)
}
const refused = [
  [410, 'unknown_cursor'],
  [410, 'unknown_cursor'],
]

describe('cursors', () => {
  it('continue on a promoted replica, but not those of events that it did not get', async () => {
    const start = (await read(service)).next
    for (let count = 0; count < 3; count++) await grant(admin, { user_id: admin.id })
    const shared = (await read(service)).next
    const { data } = await read(service, start)
    const middle = data[0]?.cursor ?? ''
    await expect.poll(() => lastNumber(pair.replica.connection)).toBe(numberOf(shared))
    await pair.promote()
    // The former primary goes on: its events are lost.
    await grant(admin, { user_id: admin.id })
    const lost = (await read(service)).next
    const promoted = await testService({ databaseUrl: pair.replica.url, env })
    onTestFinished(promoted.close)
    const ids = data.map(({ id }) => id)
    expect(await idsAfter(promoted, start)).toEqual(ids)
    expect(await idsAfter(promoted, middle)).toEqual(ids.slice(1))
    expect((await read(promoted, shared)).next).toBe(shared)
    expect(await refusals(promoted, lost)).toEqual(refused)
    const kept = await recordEvent(promoted, 'emoji_id.records_changed', [])
    expect(numberOf((await read(promoted)).next)).toBe(numberOf(shared) + 1)
    expect(await idsAfter(promoted, shared)).toEqual([kept])
    // Another event has the number now.
    expect(numberOf(lost)).toBe(numberOf(shared) + 1)
    expect(await refusals(promoted, lost)).toEqual(refused)
  })

  it('get 410 once events after them are deleted, after 30 days', async () => {
    const start = (await read(service)).next
    await recordEvent(service, 'emoji_id.records_changed', [])
    const middle = (await read(service)).next
    service.clock.advance(31 * dayMs)
    const after = await recordEvent(service, 'emoji_id.records_changed', [])
    await read(service)
    await purgeEvents(service.db, service.clock.now())
    const stored = await service.db.selectFrom('events').select('event_id').execute()
    expect(stored.map(({ event_id }) => event_id)).toEqual([after])
    expect(await refusals(service, start)).toEqual(refused)
    // The first event after this cursor is still stored.
    expect(await idsAfter(service, middle)).toEqual([after])
    const [epoch, number] = middle.split('-')
    expect(await refusals(service, `${epoch}-${number}-00000000`)).toEqual(refused)
  })
})

const numberOf = (cursor: string) => Number(cursor.split('-')[1])

async function lastNumber(connection: pg.ClientConfig): Promise<number> {
  const client = new pg.Client(connection)
  await client.connect()
  const { rows } = await client.query('select last_number::int as last from event_sequence')
  await client.end()
  return rows[0].last
}

describe('the sequencer', () => {
  it('runs in one process at a time, and in another one after that process was killed', async () => {
    const database = await testDatabase()
    const client = new pg.Client(database.connection)
    await client.connect()
    const sequencers: string[] = []
    client.on('notification', ({ payload = '' }) => void sequencers.push(payload))
    await client.query('listen events_numbered')
    const place = await newPlace()
    const { child } = await launchReady({ ...place.env, ...env, DATABASE_URL: database.url })
    onTestFinished(async () => {
      child.kill('SIGKILL')
      await client.end()
      await database.drop()
      await place.clear()
    })
    let inserted = 0
    const insert = () =>
      client.query(
        `insert into events (event_id, type, data, created_at)
         values ($1, 'emoji_id.released', '{}', now())`,
        [`evt_${inserted++}`],
      )
    /** One event after the other. */
    const insertAndWait = async () => {
      const count = sequencers.length
      await insert()
      await expect.poll(() => sequencers.length).toBeGreaterThan(count)
      return sequencers.at(-1) ?? ''
    }
    expect(await insertAndWait()).toMatch(`${child.pid}-`)
    const second = await testService({ databaseUrl: database.url, env })
    onTestFinished(second.close)
    const turns: string[] = []
    for (let count = 0; count < 20; count++) turns.push(await insertAndWait())
    // A process that gets no time from the machine is replaced. Equal ones would change ten times.
    const changes = turns.filter((turn, nth) => nth > 0 && turn !== turns[nth - 1])
    expect(changes.length).toBeLessThan(5)
    child.kill('SIGKILL')
    await insert()
    expect(await insertAndWait()).not.toMatch(`${child.pid}-`)
    expect(await lastNumber(database.connection)).toBe(inserted)
  })
})
