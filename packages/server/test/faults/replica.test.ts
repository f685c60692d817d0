import { type EmojiId, parseEmojiId } from '@emojid/core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { transact } from '../../src/platform/database/database.ts'
import { execute, inDatabase } from '../support/global-setup.ts'
import { type DatabaseProxy, databaseProxy } from '../support/proxy.ts'
import { type StreamingPair, streamingPair } from '../support/replica.ts'
import { type TestService, testService } from '../support/service.ts'

const changedId = parseEmojiId('🔥🐍')
const unchangedId = parseEmojiId('🎸🎸🎸')
/** Longer than any wait here on a busy machine. `grow` ages the copies. */
const maxBehindSeconds = 60
let pair: StreamingPair
let primary: DatabaseProxy
let replica: DatabaseProxy
let writer: TestService
/** Caches nothing, so that every lookup is read. Both databases can be disconnected. */
let reader: TestService
let isPromoted = false

async function startAll() {
  pair = await streamingPair()
  writer = await testService({ databaseUrl: pair.primary.url, env: { SEED_DEMO: 'true' } })
  primary = await databaseProxy(pair.primary.connection, pair.primary.url)
  replica = await databaseProxy(pair.replica.connection, pair.replica.url)
  reader = await startReader({ LOOKUP_CACHE_IDS: '0' })
  await inUse(reader)
}
async function stopAll() {
  await reader.close()
  await writer.close()
  await primary.close()
  await replica.close()
  await pair.stop()
}
beforeAll(startAll)
beforeEach(async () => {
  if (!isPromoted) return
  await stopAll()
  await startAll()
  isPromoted = false
})
afterEach(async () => {
  vi.restoreAllMocks()
  primary.heal()
  replica.heal()
  if (isPromoted) return
  await pair.resume()
  await inUse(reader)
})
afterAll(stopAll)

const startReader = (env: Record<string, string> = {}, replicaUrl = replica.url) =>
  testService({
    databaseUrl: primary.url,
    isHurried: true,
    env: {
      DATABASE_REPLICA_URL: replicaUrl,
      SEED_DEMO: 'false',
      ROLES: 'api',
      REPLICA_MAX_BEHIND_SECONDS: String(maxBehindSeconds),
      ...env,
    },
  })

const { now } = performance
/** Advances the clock with which the service measures the age of copies. */
function grow(seconds: number): void {
  vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + seconds * 1_000)
}

type State = { state: string; behind_ms: number | null }

const replicaOf = async (service: TestService) =>
  (await service.get('/health/ready')).json<{ replica: State }>().replica
/** Waits until the primary answers, and the replica is used. */
const inUse = (service: TestService) =>
  vi.waitFor(async () => {
    const answer = await service.get('/health/ready')
    expect(answer.status).toBe(200)
    expect(answer.json<{ replica: State }>().replica.state).toBe('in use')
  }, 120_000)

const write = (text: string, id = changedId) =>
  transact(writer.db, (trx) =>
    writer.edits.writeDemoRecords(trx, id, [{ tag: '0x5001', data: text }]),
  )

/** The value of an id, its source, and its maximal age. */
async function read(service: TestService, id: EmojiId = changedId) {
  const answer = await service.get(`/api/emoji_id/${encodeURIComponent(id)}`)
  const [source = '', behind] = (answer.headers.get('x-served-from') ?? '').split('; behind=')
  const text =
    answer.status === 200
      ? answer.json<{ result: { data: string }[] }>().result[0]?.data
      : undefined
  return { status: answer.status, text, source, behind: Number(behind ?? 0) }
}

const fromReplica = (service: TestService, id: EmojiId = changedId) =>
  expect.poll(async () => (await read(service, id)).source).toBe('replica')

/**
 * Pauses the replica before a change that the reader hears, and waits until its copies have an age.
 * Begins again if the listener reconnected meanwhile: then the paused replica may serve no id.
 */
async function pauseBeforeChange(): Promise<void> {
  for (;;) {
    await pair.resume()
    await write('replicated')
    await fromReplica(reader)
    await fromReplica(reader, unchangedId)
    await pair.pause()
    await write('heard, but not replicated')
    await expect.poll(async () => (await read(reader)).text).toBe('heard, but not replicated')
    let copy = await read(reader, unchangedId)
    while (copy.source === 'replica' && copy.behind <= 0.1) copy = await read(reader, unchangedId)
    if (copy.source === 'replica') return
  }
}

describe('a replica that keeps up', () => {
  it('serves lookups, and the response reports its maximal age', async () => {
    await write('first')
    let copy = await read(reader)
    while (copy.source !== 'replica') copy = await read(reader)
    const { text, behind } = copy

    expect(text).toBe('first')
    expect(behind).toBeGreaterThan(0)
    expect(behind).toBeLessThanOrEqual(maxBehindSeconds)
  })

  it('never hides a notified change', async () => {
    for (let n = 0; n < 10; n++) {
      await write(`heard ${n}`)
      await expect.poll(async () => (await read(reader)).text, { interval: 5 }).toBe(`heard ${n}`)
      expect((await read(reader)).text).toBe(`heard ${n}`)
    }
  })
})

describe('a replica that stands still', () => {
  it('serves unchanged ids until it exceeds the promised age', async () => {
    await pauseBeforeChange()
    const other = await read(reader)

    expect(other).toMatchObject({ text: 'heard, but not replicated', source: 'primary' })
    grow(maxBehindSeconds)
    await expect.poll(async () => (await read(reader, unchangedId)).source).toBe('primary')
    expect(await read(reader, unchangedId)).toMatchObject({ status: 200, source: 'primary' })
    expect((await replicaOf(reader)).state).toBe('behind')
  })

  it('returns no replaced value to a newly started process', async () => {
    await write('before the pause')
    await fromReplica(reader)
    await pair.pause()
    await write('before the start')
    const fresh = await startReader()
    try {
      await expect.poll(async () => (await read(fresh)).source).toBe('memory')
      expect((await read(fresh)).text).toBe('before the start')
    } finally {
      await fresh.close()
    }
  })

  it('returns no value replaced while the listener was disconnected', async () => {
    await write('heard')
    await fromReplica(reader)
    await pair.pause()
    await execute(
      pair.primary.connection,
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name like 'emojid-monitor-%'`,
    )
    await write('unheard')
    await expect.poll(async () => (await read(reader)).text).toBe('unheard')
  })
})

// stress/replica-faults.ts kills each of them.
describe('during an outage of the primary', () => {
  it('the replica serves unchanged ids until it exceeds the promised age', async () => {
    await pauseBeforeChange()
    primary.freeze()
    const ofChanged = new Set<number>()
    const ofUnchanged: Awaited<ReturnType<typeof read>>[] = []
    const ask = async () => {
      const [one, two] = await Promise.all([read(reader), read(reader, unchangedId)])
      ofChanged.add(one.status)
      ofUnchanged.push(two)
    }
    const isReplicaAsked = async () => {
      await ask()
      return ofUnchanged.some(({ source }) => source === 'replica')
    }
    await expect.poll(isReplicaAsked).toBe(true)
    grow(maxBehindSeconds)
    const ageAfterAsking = async () => {
      await ask()
      return (await replicaOf(reader)).behind_ms
    }
    await expect.poll(ageAfterAsking).toBeGreaterThan(maxBehindSeconds * 1_000)
    const okAnswers = ofUnchanged.filter(({ status }) => status === 200)
    const late = ofUnchanged.length
    for (let n = 0; n < 5; n++) await ask()

    expect(ofChanged).toEqual(new Set([503]))
    for (const { behind } of okAnswers) expect(behind).toBeLessThanOrEqual(maxBehindSeconds)
    const lateStatuses = ofUnchanged.slice(late).map(({ status }) => status)
    expect(new Set(lateStatuses)).toEqual(new Set([503]))
  })
})

describe('during an outage of the replica', () => {
  it('the primary answers everything, and the replica is no longer asked', async () => {
    await fromReplica(reader)
    replica.freeze()
    const statuses = new Set<number>()
    const state = async () => {
      statuses.add((await read(reader)).status)
      return (await replicaOf(reader)).state
    }
    await expect.poll(state).toBe('away')
    const sources = new Set<string>()
    for (let n = 0; n < 10; n++) {
      const { status, source } = await read(reader)
      statuses.add(status)
      sources.add(source)
    }
    expect([...statuses]).toEqual([200])
    expect([...sources]).toEqual(['primary'])
  })
})

describe('a database that is not a replica of the primary', () => {
  const answersWithout = async (url: string, state: string) => {
    const misled = await startReader({ LOOKUP_CACHE_IDS: '0' }, url)
    try {
      await write(`not ${state}`)
      await expect.poll(async () => (await replicaOf(misled)).state).toBe(state)
      expect(await read(misled)).toMatchObject({ text: `not ${state}`, source: 'primary' })
    } finally {
      await misled.close()
    }
  }
  it('a database that is not a replica of the primary is not used: the primary itself', () =>
    answersWithout(pair.primary.url, 'not a replica'))

  it('a database that is not a replica of the primary is not used: a replica of another database', async () => {
    await execute(pair.primary.connection, 'create database another')
    await execute(
      inDatabase(pair.primary.connection, 'another'),
      'create table replica_beats (process_id uuid, beat bigint)',
    )
    const url = pair.replica.url.replace('/emojid?', '/another?')
    const there = () =>
      execute(inDatabase(pair.replica.connection, 'another'), 'select from replica_beats').then(
        () => true,
        () => false,
      )
    await expect.poll(there).toBe(true)
    await answersWithout(url, 'not a replica of this database')
  })
})

describe('a replica promoted to primary', () => {
  it('a replica promoted to primary is no longer used, and health reports why', async () => {
    await fromReplica(reader)
    isPromoted = true
    await pair.promote()
    await execute(pair.replica.connection, `delete from emoji_ids where emoji_id = '${changedId}'`)
    const answers = await Promise.all([read(reader), read(reader)])

    expect(answers.map(({ status, source }) => [status, source])).toEqual([
      [200, 'primary'],
      [200, 'primary'],
    ])
    await expect.poll(async () => (await replicaOf(reader)).state).toBe('not a replica')
  })
})
