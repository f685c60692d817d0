import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Passwords } from '../../src/platform/passwords/passwords.ts'
import { goodPassword, logIn, newcomer, newEmail, register } from '../support/people.ts'
import { type TestService, testService } from '../support/service.ts'

let service: TestService
let passwords: Passwords
beforeAll(async () => {
  service = await testService({
    override(container) {
      passwords = container.passwords
      return container
    },
  })
})
afterAll(() => service.close())

// All tests come from one address and would soon reach its back-off.
const forgetFailures = () => service.db.deleteFrom('login_failures').execute()
beforeEach(forgetFailures)

const newUser = () => newcomer(service, { password: goodPassword })
type Login = { email?: string; alternate_id?: string; password?: string }
const wrong = 'not the password of anybody'
const attempt = (login: Login, headers: Record<string, string> = {}) =>
  service.post('/api/auth/token', { password: wrong, ...login }, { headers })
type Answer = Awaited<ReturnType<typeof attempt>>
const sameForAll = ({ status, body }: Answer) => [
  status,
  body.replace(/"request_id":"[^"]+"/, '"request_id":"…"'),
]
/** Counts the password hashes that the service computes for a request. */
const hashesFor = async (work: () => Promise<unknown>) => {
  const before = passwords.computed()
  await work()
  return passwords.computed() - before
}
const statuses = (answers: Answer[]) => answers.map(({ status }) => status).sort()
const times = <Item>(count: number, item: Item): Item[] => Array<Item>(count).fill(item)

describe('a failed login', () => {
  const strangers: Record<string, () => Promise<Login>> = {
    'a wrong password': async () => ({ email: (await newUser()).email }),
    'a wrong password of an alternate id': async () => {
      const alternate_id = randomUUID()
      await register(service, { email: null, alternate_id, source: 'test' })
      return { alternate_id }
    },
    'an unknown alternate id': async () => ({ alternate_id: randomUUID() }),
    'an account without a password': async () => ({
      email: (await newcomer(service)).email,
    }),
    'the right password of a deactivated account': async () => {
      const { id, email, password } = await newUser()
      await service.db
        .updateTable('users')
        .set({ deactivated_at: new Date() })
        .where('id', '=', id)
        .execute()
      return { email, password }
    },
    'an address that is none': async () => ({ email: "' OR 1=1--" }),
  }

  // stress/login-timing.ts measures the time of both.
  it.each(Object.keys(strangers))(
    'has the response and the hash cost of an unknown address: %s', // T01
    async (name) => {
      const login = (await strangers[name]?.()) ?? {}
      const answers: Answer[] = []
      for (const one of [{ email: newEmail() }, login]) {
        expect(await hashesFor(async () => answers.push(await attempt(one)))).toBe(1)
      }
      const [unknown, stranger] = answers as [Answer, Answer]

      expect(unknown.status).toBe(401)
      expect(sameForAll(stranger)).toEqual(sameForAll(unknown))
    },
  )
})

/** The back-off uses the service's clock: no other process may use it up. */
function stopTheClock() {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() }))
  afterEach(() => void vi.useRealTimers())
}

describe('guessing passwords of one name', () => {
  stopTheClock()
  /** 10 guesses, and two more after the back-off: each doubles the next wait. */
  async function guessUntilLocked(guess: (nth: number) => Promise<Answer>) {
    const answers = []
    for (let nth = 0; nth < 12; nth++) answers.push(await guess(nth))
    for (let nth = 12; nth < 14; nth++) {
      service.clock.advance(20_000)
      await guess(nth)
    }
    return answers
  }

  it('is locked after 10 failures in changing case from changing networks, for the correct password too, until the back-off ends', async () => {
    const headers = (nth: number) => ({
      'x-forwarded-for': `203.0.113.${nth}`,
      'x-real-ip': `203.0.113.${nth}`,
      forwarded: `for=203.0.113.${nth}`,
    })
    const [victim, other] = await Promise.all([newUser(), newUser()])
    const spell = (nth: number) => (nth % 2 === 0 ? victim.email : victim.email.toUpperCase())
    const guess = (nth: number) => attempt({ email: spell(nth) }, headers(nth)) // T02, T03
    const answers = await guessUntilLocked(guess)
    expect(statuses(answers)).toEqual([...times(10, 401), 429, 429])

    const late = await guess(14)
    const right = await attempt(victim, headers(15))
    expect(right.status).toBe(429)
    expect(sameForAll(right)).toEqual(sameForAll(late))
    const wait = Number(right.headers.get('retry-after'))
    expect(wait).toBe(4)
    await logIn(service, other)

    service.clock.advance(wait * 1_000)
    await logIn(service, victim)
    const newAnswers = [await attempt({ email: victim.email }), await attempt(victim)]
    expect(statuses(newAnswers)).toEqual([200, 401])
  })

  it.each([
    { name: 'an unknown address', login: { email: newEmail() } },
    { name: 'an unknown alternate id', login: { alternate_id: randomUUID() } },
  ])('is locked after 10 failures for $name as well', async ({ login }) => {
    const answers = await guessUntilLocked(() => attempt(login))
    expect(statuses(answers)).toEqual([...times(10, 401), 429, 429])
    expect((await attempt(login)).headers.get('retry-after')).toMatch(/^\d+$/)
  })

  it('checks at most 10 concurrent guesses', async () => {
    const { email } = await newUser()
    const answers = await Promise.all(Array.from({ length: 20 }, () => attempt({ email })))
    const checkedAnswers = answers.filter(({ status }) => status === 401)
    expect(checkedAnswers.length).toBeGreaterThan(0)
    expect(checkedAnswers.length).toBeLessThanOrEqual(10)
    // A busy machine rejects requests that wait too long.
    for (const { status } of answers) expect([401, 429, 503]).toContain(status)
  })

  it('counts wrong current passwords when the account is changed', async () => {
    const victim = await newUser()
    const guess = () =>
      victim.patch('/api/account', { password: 'a new password', current_password: wrong })
    expect(statuses(await guessUntilLocked(guess))).toEqual([...times(10, 422), 429, 429])
    expect((await attempt(victim)).status).toBe(429)
  })
})

describe('guessing passwords from one address', () => {
  stopTheClock()
  it('is locked after 40 accounts with an invented address each time, while lookups work', async () => {
    const headers = (nth: number) => ({
      'x-forwarded-for': `203.0.113.${nth}`,
      'x-real-ip': `198.51.100.${nth}`,
      forwarded: `for=192.0.2.${nth};host=localhost`,
    }) // T03, T04
    const answers = []
    for (let nth = 0; nth < 42; nth++) {
      answers.push(await attempt({ email: newEmail() }, headers(nth)))
    }
    expect(statuses(answers)).toEqual([...times(40, 401), ...times(2, 429)])
    const lookup = await service.get(`/api/emoji_id/${encodeURIComponent('🔥🐍')}`)
    expect(lookup.status).toBe(200)
  })
})

describe('a login without a pair of texts', () => {
  const email = newEmail()
  it.each([
    { name: 'database operators', body: { email: { $ne: null }, password: { $gt: '' } } },
    { name: 'a list of addresses', body: { email: [email], password: wrong } },
    { name: 'a number as address', body: { email: 5, password: wrong } },
    { name: 'null as address', body: { email: null, password: wrong } },
    { name: 'true as address', body: { email: true, password: wrong } },
    { name: 'an operator as alternate id', body: { alternate_id: { $ne: 1 }, password: wrong } },
    { name: 'an operator as password', body: { email, password: { $gt: '' } } },
    { name: 'a list of passwords', body: { email, password: [wrong] } },
    { name: 'a number as password', body: { email, password: 12345678 } },
    { name: 'null as password', body: { email, password: null } },
    { name: 'two names', body: { email, alternate_id: 'both', password: wrong } },
    { name: 'no name', body: { password: wrong } },
    { name: 'a list', body: [] },
    { name: 'a text', body: 'text' },
    { name: 'nothing', body: null },
  ])('is rejected as malformed: $name', async ({ body }) => {
    expect((await service.post('/api/auth/token', body)).status).toBe(400) // T05
  })
})
