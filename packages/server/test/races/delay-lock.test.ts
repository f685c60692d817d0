import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { at, grant, recordsOf } from '../support/ids.ts'
import { goodPassword, logIn, newcomer, type Person, registerAs } from '../support/people.ts'
import { type TestService, testService } from '../support/service.ts'
import { sharedPair } from '../support/shared-service.ts'
import { stopTheClock } from '../support/stopped-clock.ts'

let service: TestService
/** Another process on the same data. */
let second: TestService
let anna: Person
let admin: Person
beforeAll(async () => {
  ;({ service, second } = await sharedPair())
})
// Sessions expire while these tests move the clock.
beforeEach(async () => {
  admin = await registerAs(service, 'Admin')
  anna = await newcomer(service, { password: goodPassword })
})

const hour = 60 * 60_000
const before = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'
const later = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const advance = (ms: number) => {
  for (const { clock } of [service, second]) clock.advance(ms)
}
const either = (n: number) => (n % 2 ? service : second)
const times = <Result>(count: number, work: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))
const dataAt = async (process: TestService, id: string) =>
  (await recordsOf(process, id)).map(({ data }) => data)
const call = (method: string, path: string, n: number, body?: object, person = anna) =>
  either(n).call(method, path, {
    ...(body ? { body } : {}),
    headers: { authorization: `Bearer ${person.tokens.access_token}` },
  })
const pay = (id: string, data: string, n = 1) =>
  call('PATCH', at(id), n, { insert: [{ tag: '0x1003', data }] })
const states = async (id: string) => (await service.get(at(id, '/history'))).json<object[]>().length

/** An id with a waiting change, cached by both processes, and its delay. */
const createWaiting = async () => {
  const id = await grant(admin, { user_id: anna.id })
  await pay(id, before)
  await call('PUT', at(id, '/delay_lock'), 1, { hours: 1 })
  const changes_at = Date.parse((await pay(id, later)).headers.get('x-changes-at') ?? '')
  const lookUpAt = async (process: TestService) =>
    (await process.get(at(id))).json<{ changes_at?: string }>().changes_at
  for (const process of [service, second]) await expect.poll(() => lookUpAt(process)).toBeTruthy()
  return { id, restMs: changes_at - service.clock.now().getTime() }
}
/** Signed in again shortly before the change. */
const signInLater = async (rest: number) => {
  advance(rest - 60_000)
  anna = { ...anna, ...(await logIn(service, anna)) }
}

describe('at the moment of a planned change, at two processes, without any job', () => {
  it('every lookup sees it, and it is applied once', async () => {
    stopTheClock()
    const { id, restMs } = await createWaiting()
    advance(restMs - 5_000)
    expect(await times(4, (n) => dataAt(either(n), id))).toEqual(Array(4).fill([before]))
    advance(5_000)
    expect(await times(40, (n) => dataAt(either(n), id))).toEqual(Array(40).fill([later]))
    expect(await states(id)).toBe(2)
  })

  it('a cancel succeeds or is too late, never half', async () => {
    const { id, restMs } = await createWaiting()
    await signInLater(restMs)
    advance(60_000)
    const [cancellationAnswer, ...lookups] = await Promise.all([
      call('DELETE', at(id, '/waiting_change'), 0),
      ...Array.from({ length: 10 }, (_, n) => dataAt(either(n), id)),
    ])
    expect(cancellationAnswer.status).toBe(422)
    expect(lookups).toEqual(Array(10).fill([later]))
  })

  it('one of many earlier cancels succeeds, and the change is not applied', async () => {
    const { id, restMs } = await createWaiting()
    const answers = await times(10, (n) => call('DELETE', at(id, '/waiting_change'), n))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(422)])
    advance(restMs + hour)
    expect(await times(2, (n) => dataAt(either(n), id))).toEqual(Array(2).fill([before]))
    expect(await states(id)).toBe(1)
  })

  it('an edit builds on the applied change', async () => {
    const { id, restMs } = await createWaiting()
    await signInLater(restMs)
    advance(60_000)
    const insert = [{ tag: '0x5001', data: 'text' }]
    const [editAnswer] = await Promise.all([
      call('PATCH', at(id), 0, { insert }),
      ...Array.from({ length: 5 }, (_, n) => dataAt(either(n), id)),
    ])
    expect(editAnswer.status).toBe(200)
    expect(await dataAt(second, id)).toEqual([later, 'text'])
    await expect.poll(() => dataAt(service, id)).toEqual([later, 'text'])
    expect(await states(id)).toBe(3)
  })

  it('one of many different concurrent plans succeeds', async () => {
    const id = await grant(admin, { user_id: anna.id })
    await pay(id, before)
    await call('PUT', at(id, '/delay_lock'), 1, { hours: 2 })
    const answers = await times(10, (n) => pay(id, `${later}|number ${n}`, n))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(422)])
  })

  it('a process that starts later serves it too', async () => {
    const { id, restMs } = await createWaiting()
    const third = await testService({ databaseUrl: String(service.database?.url) })
    try {
      third.clock.advance(service.clock.now().getTime() - third.clock.now().getTime())
      expect(await dataAt(third, id)).toEqual([before])
      third.clock.advance(restMs)
      expect(await dataAt(third, id)).toEqual([later])
    } finally {
      await third.close()
    }
  })
})
