import { beforeAll, describe, expect, it } from 'vitest'
import { goodPassword, logIn, newcomer, type Tokens } from '../support/people.ts'
import { authenticator, type EnabledApp, enableApp, sendCode } from '../support/second-factor.ts'
import type { TestService } from '../support/service.ts'
import { sharedPair } from '../support/shared-service.ts'
import { stopTheClock } from '../support/stopped-clock.ts'

let service: TestService
/** Another process on the same data. */
let second: TestService
beforeAll(async () => {
  ;({ service, second } = await sharedPair())
})

type Answer = Awaited<ReturnType<TestService['get']>>
/** Many at once, at both processes. */
const statuses = async (count: number, work: (at: TestService) => Promise<Answer>) => {
  const answers = await Promise.all(
    Array.from({ length: count }, (_, index) => work(index % 2 === 0 ? service : second)),
  )
  return answers.map(({ status }) => status).toSorted()
}
const successes = (all: number[]) => all.filter((status) => status === 200).length
const pass = (ms: number) => {
  for (const one of [service, second]) one.clock.advance(ms)
}
const quickly = () => newcomer(service)

describe('many concurrent uses of one code', () => {
  it('an app code admits one, and none again within its 30 s (T43)', async () => {
    const person = await newcomer(service, { password: goodPassword })
    const { app } = await enableApp(service, person)
    const logins = await Promise.all(Array.from({ length: 3 }, () => logIn(service, person)))
    pass(60_000)
    const code = app.code()
    let index = 0
    const all = await statuses(6, (at) => sendCode(at, logins[index++ % 3]?.tokens as Tokens, code))

    expect(successes(all)).toBe(1)
    expect(all.every((status) => [200, 422, 429].includes(status))).toBe(true)
    const entryAnswers = await Promise.all(logins.map(({ get }) => get('/api/account')))
    expect(successes(entryAnswers.map(({ status }) => status))).toBe(1)
    expect((await sendCode(service, person.tokens, code)).status).not.toBe(200)
  })

  it('a backup code admits one login (T48)', async () => {
    const person = await quickly()
    const { backup_codes } = await enableApp(service, person)
    const all = await statuses(6, (at) => sendCode(at, person.tokens, backup_codes[0] ?? ''))
    expect(successes(all)).toBe(1)
    expect(all.every((status) => [200, 422, 429].includes(status))).toBe(true)
  })

  it('a backup code removes the second factor once (T48)', async () => {
    const person = await quickly()
    const { backup_codes } = await enableApp(service, person)
    const { email } = person
    const all = await statuses(6, (at) =>
      at.post('/api/account/2fa/backup_disable', {
        email,
        disable_all: true,
        backup_code: backup_codes[0],
      }),
    )
    expect(successes(all)).toBe(1)
    expect(all.every((status) => [200, 422, 429].includes(status))).toBe(true)
    const auditEntries = await service.db
      .selectFrom('audit_entries')
      .select('id')
      .where('event', '=', 'second_factor.removed')
      .where('actor_id', '=', person.id)
      .execute()
    expect(auditEntries).toHaveLength(1)
  })

  it('a set-up is confirmed once', async () => {
    const person = await quickly()
    const preparationAnswer = await person.post('/api/account/2fa', {
      provider: 'AuthenticatorApp',
    })
    const { ga_secret } = preparationAnswer.json<EnabledApp>()
    const code = authenticator(service, ga_secret).code()
    const headers = { authorization: `Bearer ${person.tokens.access_token}` }
    const all = await statuses(6, (at) =>
      at.post('/api/account/2fa/confirm', { code }, { headers }),
    )
    expect(successes(all)).toBe(1)
    expect(all.every((status) => [200, 422, 429].includes(status))).toBe(true)
  })
})

describe('concurrent guessing (T45)', () => {
  it('concurrent guessing (T45) gets no more tries than sequential guessing', async () => {
    stopTheClock()
    const person = await quickly()
    const { app } = await enableApp(service, person)
    const wrong = app.wrong()
    const all = await statuses(16, (at) => sendCode(at, person.tokens, wrong))

    expect(all).toEqual([...Array(5).fill(422), ...Array(11).fill(429)])
    const compared = await service.db
      .selectFrom('audit_entries')
      .select('id')
      .where('event', '=', 'second_factor.given')
      .where('actor_id', '=', person.id)
      .execute()
    expect(compared).toHaveLength(5)
  })
})

describe('text messages', () => {
  it('text messages are limited to five an hour, also for concurrent requests (T51)', async () => {
    const person = await newcomer(service, { isVerified: true })
    const headers = { authorization: `Bearer ${person.tokens.access_token}` }
    let phones = 100
    const all = await statuses(12, (at) => {
      const body = { provider: 'SMS', phone: `+14155550${phones++}` }
      return at.post('/api/account/2fa/enable', body, { headers })
    })
    expect(all).toEqual([...Array(5).fill(200), ...Array(7).fill(429)])
  })
})
