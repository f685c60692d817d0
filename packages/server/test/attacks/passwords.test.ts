import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Passwords } from '../../src/platform/passwords/passwords.ts'
import { goodPassword, logIn, newEmail, type Person, register } from '../support/people.ts'
import { type TestService, testService } from '../support/service.ts'

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
  person = await register(service)
})
afterAll(() => service.close())

const attempt = (email: string, password: string) =>
  service.post('/api/auth/token', { email, password })

describe('a stored password', () => {
  it('is expensive to guess', async () => {
    // Production cost: the other tests hash at a lower cost.
    const dear = await testService({ isHashingDear: true })
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
  ])('is rejected without hashing: $size', async ({ password, status = 400 }) => {
    const before = passwords.computed()
    expect((await attempt(person.email, password)).status).toBe(status)
    const registeringAnswer = await service.post('/api/users', { email: newEmail(), password })
    expect(registeringAnswer.status).toBe(status)
    expect(passwords.computed()).toBe(before) // T06
  })

  it('has at least 1,025 bytes', async () => {
    const password = 'éàüô'.repeat(128)
    const { email } = await register(service, { password })
    await logIn(service, { email, password })
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
  ])('is rejected with $name', async ({ variant }) => {
    expect((await attempt(email, variant)).status).toBe(401) // T07
  })

  it('is not cut off at a NUL', async () => {
    expect((await attempt(email, `${password}\u0000tail`)).status).toBe(400)
    const registering = { email: newEmail(), password: `${password}\u0000tail` }
    expect((await service.post('/api/users', registering)).status).toBe(400)
  })

  it('signs in exactly as set', async () => {
    await logIn(service, { email, password })
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
  ])('is refused: $name', async ({ from }) => {
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
    expect((await attempt(person.email, goodPassword)).status).toBe(200)
  })

  it('has at least eight characters, not bytes', async () => {
    const [short, enough] = ['жфщюэъы', 'жфщюэъыц']
    const refusal = await service.post('/api/users', { email: newEmail(), password: short })
    expect(refusal.json()['fields']).toMatchObject({
      password: [{ code: 'too_short', message: 'Use at least 8 characters.' }],
    })
    const { email } = await register(service, { password: enough })
    await logIn(service, { email, password: enough })
  })

  it('is refused as an alternate id of its own', async () => {
    const alternate_id = 'a-name-of-its-own'
    const body = { alternate_id, source: 'test', password: alternate_id }
    expect((await service.post('/api/users', body)).status).toBe(422)
  })
})
