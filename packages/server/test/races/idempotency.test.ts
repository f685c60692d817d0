import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { countHeld, releaseHeld, withProbes } from '../support/probe.ts'
import { type TestService, testService, usualPool } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'

let service: TestService
beforeAll(async () => {
  const env = { ...usualPool, TRUST_PROXY: '127.0.0.1', DEV_PAGES: 'false' }
  service = await testService({ env, override: withProbes })
})
afterAll(() => service.close())
/** Each test finds only its own row. */
beforeEach(() => service.db.deleteFrom('idempotency_keys').execute())

const order = (
  key: string,
  body: object = { amount: 5 },
  { path = '/api/probe/orders', address = '203.0.113.1' } = {},
) => service.post(path, body, { headers: { 'idempotency-key': key, 'x-forwarded-for': address } })

const storedRow = () =>
  service.db.selectFrom('idempotency_keys').selectAll().executeTakeFirstOrThrow()

const effects = async () => Number((await service.get('/api/probe/rows')).json()['effects'])

describe('Idempotency-Key', () => {
  it('replays the first response without a second effect', async () => {
    const key = randomUUID()
    const first = await order(key)
    const before = await effects()
    const second = await order(key)

    expect([second.status, second.body]).toEqual([200, first.body])
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect(second.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(await effects()).toBe(before)
  })

  it('admits exactly one of many concurrent requests; the others get 409', async () => {
    const key = randomUUID()
    const before = await effects()
    const statuses: number[] = []
    const requests = Array.from({ length: 8 }, async () => {
      statuses.push((await order(key, { amount: 1, is_held: true })).status)
    })
    await waitUntil(() => statuses.length + countHeld() === 8)
    releaseHeld()
    await Promise.all(requests)

    expect(statuses).toEqual([...Array(7).fill(409), 200])
    expect(await effects()).toBe(before + 1)
  })

  it('rejects another body with the same key', async () => {
    const key = randomUUID()
    await order(key, { amount: 1 })
    const { status, json } = await order(key, { amount: 2 })

    expect([status, json()['code']]).toEqual([422, 'reused_idempotency_key'])
  })

  it('Idempotency-Key is separate for every path', async () => {
    const key = randomUUID()
    await order(key)
    expect((await order(key, { amount: 5 }, { path: '/api/probe/secrets' })).status).toBe(200)
  })

  it('Idempotency-Key of callers without an account is separate for every network', async () => {
    const key = randomUUID()
    const first = await order(key)
    const sameNetwork = await order(key, undefined, { address: '203.0.113.2' })
    const elsewhere = await order(key, { amount: 6 }, { address: '203.0.114.1' })

    expect([sameNetwork.status, sameNetwork.body]).toEqual([200, first.body])
    expect(elsewhere.status).toBe(200)
  })

  it('stores a refusal, which had no effect', async () => {
    const key = randomUUID()
    const before = await effects()
    const first = await order(key, { fail: 'taken' })
    const second = await order(key, { fail: 'taken' })

    expect([first.status, second.status]).toEqual([422, 422])
    expect(second.body).toBe(first.body)
    expect(await effects()).toBe(before)
  })

  it('never stores a response with a secret: the repeat names another way to get it', async () => {
    const key = randomUUID()
    const before = await effects()
    const first = await order(key, { amount: 7 }, { path: '/api/probe/secrets' })
    const second = await order(key, { amount: 7 }, { path: '/api/probe/secrets' })
    expect(first.status).toBe(200)
    expect([second.status, second.json()['code']]).toEqual([422, 'already_done'])
    expect((await storedRow()).body).toBeNull()
    expect(await effects()).toBe(before + 1)
  })

  it.each([256, 0])('Idempotency-Key of %i characters is rejected', async (length) => {
    expect((await order('k'.repeat(length))).json()['code']).toBe('invalid_idempotency_key')
  })
})

describe('an attempt of a killed process', () => {
  const leaveBehind = async (key: string, effect_at: Date | null) => {
    await order(key)
    await service.db
      .updateTable('idempotency_keys')
      .set({ status: null, body: null, effect_at, started_at: service.clock.now() })
      .execute()
  }

  it('an attempt of a killed process is waited for, then executed by the repeat if it had no effect', async () => {
    const key = randomUUID()
    await leaveBehind(key, null)
    const before = await effects()
    const earlyAnswer = await order(key)
    service.clock.advance(31_000)
    const late = await order(key)

    expect([earlyAnswer.status, late.status]).toEqual([409, 200])
    expect(await effects()).toBe(before + 1)
  })

  it('an attempt of a killed process is never executed again once its effect was committed', async () => {
    const key = randomUUID()
    await leaveBehind(key, new Date())
    const before = await effects()
    service.clock.advance(31_000)
    const late = await order(key)

    expect([late.status, late.json()['code']]).toEqual([422, 'already_done'])
    expect(await effects()).toBe(before)
  })

  it('an attempt of a killed process cannot commit after another process took over', async () => {
    const key = randomUUID()
    const before = await effects()
    const slow = order(key, { amount: 1, is_held: true })
    await waitUntil(() => countHeld() === 1)
    service.clock.advance(31_000)
    const taker = order(key, { amount: 1, is_held: true })
    await waitUntil(() => countHeld() === 2)
    releaseHeld(1)
    const lateAnswer = await slow
    releaseHeld()

    expect([(await taker).status, lateAnswer.status]).toEqual([200, 409])
    expect(await effects()).toBe(before + 1)
  })
})

describe('the stored fingerprint of a request', () => {
  it('the stored fingerprint of a request cannot be tested against guesses of its content', async () => {
    const body = { amount: 77 }
    await order(randomUUID(), body)
    const guess = createHash('sha256')
      .update(JSON.stringify(['/api/probe/orders', body]))
      .digest('hex')
    expect((await storedRow()).request_sha256).not.toBe(guess)
  })
})
