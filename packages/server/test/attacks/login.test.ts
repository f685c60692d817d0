import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Passwords } from '../../src/platform/passwords/passwords.ts'
import {
  goodPassword,
  logIn,
  newcomer,
  newEmail,
  type Person,
  register,
} from '../support/people.ts'
import { type TestService, testService } from '../support/service.ts'
import { stopTheClock } from '../support/stopped-clock.ts'

let service: TestService
let passwords: Passwords
let person: Person
beforeAll(async () => {
  service = await testService({
    override(container) {
      passwords = container.passwords
      return container
    },
  })
  person = await newUser()
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

describe('guessing passwords of one name', () => {
  beforeEach(stopTheClock)
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
  ])(
    'guessing passwords of one name is locked after 10 failures for $name as well',
    async ({ login }) => {
      const answers = await guessUntilLocked(() => attempt(login))
      expect(statuses(answers)).toEqual([...times(10, 401), 429, 429])
      expect((await attempt(login)).headers.get('retry-after')).toMatch(/^\d+$/)
    },
  )

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
  beforeEach(stopTheClock)
  it('guessing passwords from one address is locked after 40 accounts with an invented address each time, while lookups work', async () => {
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
  ])('a login without a pair of texts is rejected as malformed: $name', async ({ body }) => {
    expect((await service.post('/api/auth/token', body)).status).toBe(400) // T05
  })
})

describe('a stored password', () => {
  it('a stored password is expensive to guess', async () => {
    // Production cost: the other tests hash at a lower cost.
    const databaseUrl = String(service.database?.url)
    const dear = await testService({ isHashingDear: true, databaseUrl })
    const { id } = await register(dear)
    const storedUser = await dear.db
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    await dear.close()
    expect(storedUser.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })
})

describe('a password that is too long', () => {
  it.each([
    { size: '1,025 bytes', password: 'a'.repeat(1_025) },
    { size: '1,026 bytes in 513 characters', password: 'é'.repeat(513) },
    { size: '1 MB', password: 'a'.repeat(1_000_000), status: 413 },
  ])(
    'a password that is too long is rejected without hashing: $size',
    async ({ password, status = 400 }) => {
      const before = passwords.computed()
      expect((await attempt({ email: person.email, password })).status).toBe(status)
      const registeringAnswer = await service.post('/api/users', { email: newEmail(), password })
      expect(registeringAnswer.status).toBe(status)
      expect(passwords.computed()).toBe(before) // T06
    },
  )

  it('a password that is too long has at least 1,025 bytes', async () => {
    const password = 'éàüô'.repeat(128)
    const { email } = await register(service, { password })
    expect((await attempt({ email, password })).status).toBe(200)
  })
})

describe('a password with special characters', () => {
  const password = ` pässwörd 🦀 ﬁ ${'b'.repeat(80)}X `
  let email: string
  beforeAll(async () => {
    email = (await register(service, { password })).email
  })

  it.each([
    { name: 'its last letter changed', variant: password.replace(/X $/, 'Y ') },
    { name: 'no space at its end', variant: password.trimEnd() },
    { name: 'no space at its start', variant: password.trimStart() },
    { name: 'compatible letters', variant: password.normalize('NFKC') },
    { name: 'letters taken apart', variant: password.normalize('NFD') },
    { name: 'small letters', variant: password.toLowerCase() },
    { name: 'its first 72 bytes', variant: Buffer.from(password).subarray(0, 72).toString() },
  ])('a password with special characters is rejected with $name', async ({ variant }) => {
    expect((await attempt({ email, password: variant })).status).toBe(401) // T07
  })

  it('a password with special characters is not cut off at a NUL', async () => {
    expect((await attempt({ email, password: `${password}\u0000tail` })).status).toBe(400)
    const registering = { email: newEmail(), password: `${password}\u0000tail` }
    expect((await service.post('/api/users', registering)).status).toBe(400)
  })

  it('signs in exactly as set', async () => {
    expect((await attempt({ email, password })).status).toBe(200)
  })
})

describe('a common password', () => {
  it.each([
    { name: 'a common one', from: () => 'password123' },
    { name: 'a common one in capitals', from: () => 'PassWord123' },
    { name: 'a row of keys', from: () => 'qwertyuiop' },
    { name: 'the address', from: (email: string) => email },
    { name: 'what stands before the @', from: (email: string) => email.split('@')[0] },
    { name: 'that in capitals', from: (email: string) => email.split('@')[0]?.toUpperCase() },
    { name: 'one of seven characters', from: () => 'x7!Qz#k' },
    { name: 'one of seven characters in 28 bytes', from: () => '🦀🐙🐝🦊🐢🐳🦉' },
  ])('a common password is refused: $name', async ({ from }) => {
    const email = newEmail()
    const registeringAnswer = await service.post('/api/users', { email, password: from(email) })
    const changingAnswer = await person.patch('/api/account', {
      password: from(person.email),
      current_password: goodPassword,
    })
    for (const answer of [registeringAnswer, changingAnswer]) {
      expect(answer.status).toBe(422) // T12
      expect(answer.json()['fields']).toHaveProperty('password')
    }
    expect((await attempt({ email: person.email, password: goodPassword })).status).toBe(200)
  })

  it('a common password has at least eight characters, not bytes', async () => {
    const [short, enough] = ['жфщюэъы', 'жфщюэъыц']
    const refusal = await service.post('/api/users', { email: newEmail(), password: short })
    expect(refusal.json()['fields']).toMatchObject({
      password: [{ code: 'too_short', message: 'Use at least 8 characters.' }],
    })
    const { email } = await register(service, { password: enough })
    await logIn(service, { email, password: enough })
  })

  it('a common password is refused as an alternate id of its own', async () => {
    const alternate_id = 'a-name-of-its-own'
    const body = { alternate_id, source: 'test', password: alternate_id }
    expect((await service.post('/api/users', body)).status).toBe(422)
  })
})
