import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { GlobalRole } from '../../src/features/operations/access/access.ts'
import {
  callsWith,
  goodPassword,
  logIn,
  type MailedService,
  newcomer,
  newEmail,
  type Person,
  press,
  register,
  registerAs,
} from '../support/people.ts'
import { keyPair } from '../support/schnorr.ts'
import { enableApp } from '../support/second-factor.ts'
import { sharedMailedService } from '../support/shared-service.ts'

let service: MailedService
let admin: Person
let boss: Person
beforeAll(async () => {
  service = await sharedMailedService()
  admin = await registerAs(service, 'Admin')
  boss = await registerAs(service, 'Super')
})

type User = Record<string, unknown>
const see = async (id: string) => (await boss.get(`/api/users/${id}`)).json<User>()
const reason = 'Asked for by the support'
const registerQuickly = () => newcomer(service)

describe('rights that users cannot give themselves (T62)', () => {
  it('exclude role, limits, confirmation, state, names and rights', async () => {
    const person = await registerQuickly()
    const before = (await person.get('/api/account')).json()
    for (const wish of [
      { role: 'Admin' },
      { free_limit: 99 },
      { remaining_free_emoji: 99 },
      { email_verified_at: '2020-01-01T00:00:00.000Z' },
      { deactivated_at: '2020-01-01T00:00:00.000Z' },
      { id: randomUUID() },
      { pubkeys: ['0'.repeat(64)] },
      { global_scopes: ['user:list'] },
      { epoch: 7, claimed_at: '2020-01-01T00:00:00.000Z', password_hash: 'x' },
    ]) {
      const own = await person.patch('/api/account', wish)
      const asAdmin = await person.patch(`/api/users/${person.id}`, wish)
      expect([200, 400], JSON.stringify(wish)).toContain(own.status)
      expect(asAdmin.status).toBe(403)
    }
    expect((await person.get('/api/account')).json()).toEqual(before)
    expect((await person.get('/api/users')).status).toBe(403)
  })
})

describe('a role (T63)', () => {
  const people = new Map<string, Person>()
  /** A person whose role no case changes. */
  const unchanged = async (role: GlobalRole, side: string): Promise<Person> => {
    const person = people.get(`${role} ${side}`) ?? (await registerAs(service, role))
    people.set(`${role} ${side}`, person)
    return person
  }
  it.each<[GlobalRole, GlobalRole | 'self', string, number]>([
    ['Admin', 'User', 'Super', 403],
    ['Admin', 'Admin', 'Super', 403],
    ['Admin', 'Super', 'User', 403],
    ['Admin', 'self', 'Super', 403],
    ['Admin', 'self', 'User', 403],
    ['Super', 'self', 'Admin', 403],
    ['User', 'User', 'Admin', 403],
    ['Bot', 'User', 'Admin', 403],
    ['Admin', 'User', 'OrgOwner', 422],
    ['Admin', 'User', 'King', 400],
    ['Admin', 'User', 'Admin', 200],
    ['Admin', 'Admin', 'User', 403],
    ['Admin', 'Admin', 'Bot', 403],
    ['Bot', 'Admin', 'User', 403],
    ['Super', 'Admin', 'User', 200],
    ['Super', 'Admin', 'Super', 200],
    ['Admin', 'User', 'Bot', 200],
    ['Super', 'User', 'Super', 200],
    ['Super', 'Super', 'User', 200],
  ])('set by %s for %s: %s → %i', async (giver, receiver, role, status) => {
    const by = await unchanged(giver, 'giver')
    const to =
      receiver === 'self'
        ? by
        : await (status === 200 ? registerAs(service, receiver) : unchanged(receiver, 'receiver'))
    const before = receiver === 'self' ? giver : receiver

    expect((await by.patch(`/api/users/${to.id}`, { role })).status).toBe(status)
    expect((await see(to.id))['role']).toBe(status === 200 ? role : before)
  })
})

describe('an operator’s key', () => {
  const keyFor = async (scopes: string[]) => {
    const keyResponse = await admin.post('/api/api_keys', { name: 'a key', scopes })
    return { headers: { 'x-api-key': keyResponse.json<{ api_key: string }>().api_key } }
  }
  it.each<[string, GlobalRole, object]>([
    ['makes no Admin', 'User', { role: 'Admin' }],
    ['makes no Bot', 'User', { role: 'Bot' }],
    ['lowers no Bot', 'Bot', { role: 'User' }],
    ['sets no password of a User', 'User', { password: 'chosen by the key' }],
    ['sets no password of a Bot', 'Bot', { password: 'chosen by the key' }],
    ['redirects no mail of a Bot', 'Bot', { email: 'taken@example.com' }],
  ])('%s, whatever its scopes', async (_, role, change) => {
    const subject = await registerAs(service, role)
    const path = `/api/users/${subject.id}`
    const before = await see(subject.id)
    for (const key of [
      await keyFor(['user:write']),
      await keyFor(['user:write', 'adminUser:roleUpdate']),
    ]) {
      const refusal = await service.patch(path, change, key)
      expect([refusal.status, refusal.json()['code']]).toEqual([403, 'insufficient_scope'])
    }
    expect(await see(subject.id)).toEqual(before)
    expect((await logIn(service, subject)).tokens.requires_2fa).toBe(null)
    expect((await admin.patch(path, { ...change, reason })).status).toBe(200)
  })

  it('gains no role in the service by owning an organization', async () => {
    const organizationResponse = await admin.post('/api/admin/organizations', { name: 'Crabs' })
    const { id } = organizationResponse.json<{ id: string }>()
    const owner = await registerQuickly()
    const members = `/api/admin/organizations/${id}/members/${owner.id}`
    expect((await admin.put(members, { role: 'OrgOwner' })).status).toBe(200)
    for (const role of ['Admin', 'Super']) {
      expect((await owner.patch(`/api/users/${owner.id}`, { role })).status).toBe(403)
      expect((await owner.put(members, { role })).status).toBe(400)
    }
    expect((await see(owner.id))['role']).toBe('User')
  })
})

/** Every operation of an operator on another user's account. */
const operations: [string, 'PATCH' | 'POST' | 'PUT' | 'DELETE', string, object?][] = [
  ['change a name', 'PATCH', '/users/:id', { first_name: 'Lower' }],
  ['change the limit', 'PATCH', '/users/:id', { free_limit: 0 }],
  ['reset the password', 'PATCH', '/users/:id', { password: 'chosen by the admin' }],
  ['redirect the mail', 'PATCH', '/users/:id', { email: newEmail() }],
  ['lower', 'PATCH', '/users/:id', { role: 'User' }],
  ['deactivate', 'POST', '/admin/users/:id/deactivate', { reason }],
  ['activate', 'POST', '/admin/users/:id/activate', { reason }],
  ['give features', 'PUT', '/admin/users/:id/features', { codes: ['beta'] }],
  ['remove the second factor', 'POST', '/admin/users/:id/remove_2fa', { reason }],
  ['list a key', 'POST', '/users/:id/pubkeys/:pubkey'],
  ['make an API key', 'POST', '/api_keys?user_id=:id', { name: 'theirs' }],
  ['delete', 'DELETE', '/users/:id'],
]
const addressOf = (path: string, { id }: { id: string }) =>
  `/api${path.replace(':id', id).replace(':pubkey', keyPair().pubkey)}`
// Otherwise one stolen Admin account could take over all the others.
// One check compares the roles: here with every operation, at a Super that it is there.
it.each<[GlobalRole, typeof operations]>([
  ['Super', operations.slice(2, 3)],
  ['Admin', operations],
])('an Admin does nothing to another %s', async (role, refusedOperations) => {
  const victim = await registerAs(service, role)
  const before = (await victim.get('/api/account')).json()
  const headers = { authorization: `Bearer ${admin.tokens.access_token}` }
  for (const [title, method, path, body] of refusedOperations) {
    const answer = await service.call(method, addressOf(path, victim), { headers, body })
    expect([title, answer.status]).toEqual([title, 403])
  }
  expect((await victim.get('/api/account')).json()).toEqual(before)
  await logIn(service, victim)
})

it.each([
  ['a Super', 'Admin', () => boss, operations],
  ['an Admin', 'Bot', () => admin, operations.filter(([title]) => /password|API key/.test(title))],
] as const)(
  '%s may do all of it to an %s, but only a Super makes an API key',
  async (_, role, by, allowedOperations) => {
    const headers = { authorization: `Bearer ${by().tokens.access_token}` }
    const kept = await registerAs(service, role)
    for (const [title, method, path, body] of allowedOperations) {
      // After these the account has another role, or none.
      const subject = /^(lower|delete)$/.test(title) ? await registerAs(service, role) : kept
      if (path.endsWith('remove_2fa')) {
        const { tokens } = await logIn(service, { ...kept, password: 'chosen by the admin' })
        await enableApp(service, callsWith(service, tokens))
      }
      const { status } = await service.call(method, addressOf(path, subject), { headers, body })
      const isAllowed = title !== 'make an API key' || by() === boss
      expect([title, status]).toEqual([title, isAllowed ? 200 : 403])
    }
  },
)

describe('an administrator who changes a user', () => {
  const change = (id: string, body: object) => admin.patch(`/api/users/${id}`, body)

  it('sets names and free limit immediately', async () => {
    const { id } = await registerQuickly()
    const wish = { first_name: 'Ada', last_name: 'Byron', free_limit: 7 }
    // Nothing is free here, so the new limit shows only once something is.
    const shown = { ...wish, free_limit: 0, remaining_free_emoji: 0 }
    expect((await change(id, wish)).json()).toMatchObject(shown)
    expect(await see(id)).toMatchObject(shown)
    expect((await change(id, { free_limit: -1 })).status).toBe(400)
    expect((await change(id, { free_limit: '9' })).status).toBe(400)
  })

  it('sets a password, which voids the old one and every session', async () => {
    const person = await register(service)
    const { email } = person
    expect((await change(person.id, { password: 'password123' })).status).toBe(422)
    expect((await change(person.id, { password: 'set by the support' })).status).toBe(200)

    expect((await person.get('/api/account')).status).toBe(401)
    const old = await service.post('/api/auth/token', { email, password: goodPassword })
    expect(old.status).toBe(401)
    await logIn(service, { email, password: 'set by the support' })
  })

  it('sets an email address that takes effect once the new mailbox confirms it', async () => {
    const [person, email] = [await registerQuickly(), newEmail()]
    expect((await change(person.id, { email: boss.email })).status).toBe(422)
    expect((await change(person.id, { email })).status).toBe(200)
    expect((await see(person.id))['email']).toBe(person.email)
    await press(service, await service.linkTo(email))
    expect((await see(person.id))['email']).toBe(email)
  })

  it('an administrator who changes a user needs their own password for their own account', async () => {
    const self = await registerAs(service, 'Admin')
    for (const body of [{ password: 'a brand new password' }, { email: newEmail() }]) {
      expect((await self.patch(`/api/users/${self.id}`, body)).status).toBe(422)
    }
    await logIn(service, self)
  })

  it('an administrator who changes a user gets 404 for an unknown user', async () => {
    expect((await change(randomUUID(), { first_name: 'Unknown' })).status).toBe(404)
    expect((await admin.delete(`/api/users/${randomUUID()}`)).status).toBe(404)
    expect((await admin.get(`/api/users/${randomUUID()}`)).status).toBe(404)
  })
})

describe('deactivating a user', () => {
  const set = (by: Person, id: string, to: 'activate' | 'deactivate', body: object = { reason }) =>
    by.post(`/api/admin/users/${id}/${to}`, body)

  it('blocks every way in immediately, until reactivation (T13)', async () => {
    const person = await register(service)
    const { email, password, tokens } = person
    const ways = async () => [
      (await person.get('/api/account')).status,
      (await service.post('/api/auth/token/refresh', tokens)).status,
      (await service.post('/api/auth/token', { email, password })).status,
    ]
    expect((await set(admin, person.id, 'deactivate')).json()['deactivated_at']).not.toBeNull()
    expect(await ways()).toEqual([401, 401, 401])

    expect((await set(admin, person.id, 'activate')).json()['deactivated_at']).toBeNull()
    expect(await ways()).toEqual([401, 401, 200])
  })

  it('requires a reason, the right, and another person', async () => {
    const [victim, person] = [await registerQuickly(), await registerQuickly()]
    for (const body of [{}, { reason: '' }, { reason: null }]) {
      expect((await set(admin, victim.id, 'deactivate', body)).status).toBe(400)
    }
    expect((await set(admin, admin.id, 'deactivate')).status).toBe(403)
    expect((await set(person, victim.id, 'deactivate')).status).toBe(403)
    expect((await victim.get('/api/account')).status).toBe(200)
  })
})

describe('features', () => {
  it('features are replaced as a set, created when new, visible to their owner and removed when omitted', async () => {
    const person = await registerQuickly()
    const give = (...codes: string[]) =>
      admin.put(`/api/admin/users/${person.id}/features`, { codes })
    const codes = async (path: string, by: Person = person) =>
      (await by.get(path)).json<{ code: string }[]>().map(({ code }) => code)

    expect((await give('beta', 'alpha', 'beta')).status).toBe(200)
    expect(await codes('/api/user_features')).toEqual(['alpha', 'beta'])
    expect((await give('beta')).status).toBe(200)
    expect(await codes('/api/user_features')).toEqual(['beta'])
    expect(await codes('/api/admin/features', admin)).toEqual(['alpha', 'beta'])
    expect((await give('NOT A CODE')).status).toBe(400)
    const { features } = (await person.get('/api/account')).json<{ features: object[] }>()
    expect(features).toEqual([{ id: expect.any(String), code: 'beta' }])
  })
})

describe('a deleted user', () => {
  const traces = async (texts: readonly string[]) => {
    const { rows } = await sql<{ name: string }>`select table_name as name
      from information_schema.tables where table_schema = 'public'`.execute(service.db)
    const tablesWithText: string[] = []
    for (const { name } of rows) {
      // The database searches: other tests have filled it with many rows.
      const { rows: matchingRows } = await sql<{ text: string }>`
        select distinct searched.text from ${sql.table(name)} as whole
        join unnest(${texts}::text[]) as searched(text)
          on strpos(lower(whole::text), searched.text) > 0`.execute(service.db)
      tablesWithText.push(...matchingRows.map(({ text }) => `${name}: ${text}`))
    }
    return tablesWithText
  }

  it('a deleted user leaves no name anywhere, deleted by themselves or an administrator', async () => {
    const texts: string[] = []
    for (const isOwn of [true, false]) {
      const named = { first_name: `ada${randomUUID()}`, last_name: `byron${randomUUID()}` }
      const device = { headers: { 'user-agent': `phone${randomUUID()}` } }
      const person = await register(service, { ...named, source: `shop${randomUUID()}` })
      const { id, email, password, tokens } = person
      await service.post('/api/auth/token', { email, password }, device)
      await admin.put(`/api/admin/users/${id}/features`, { codes: ['beta'] })
      const deletionAnswer = await (isOwn ? person : admin).delete(`/api/users/${id}`)

      expect(deletionAnswer.status).toBe(200)
      expect(await see(id)).toMatchObject({
        id,
        email: null,
        first_name: null,
        last_name: null,
        source: null,
        email_verified_at: null,
        deactivated_at: expect.any(String),
      })
      expect((await callsWith(service, tokens).get('/api/account')).status).toBe(401)
      expect((await service.post('/api/auth/token/refresh', tokens)).status).toBe(401)
      expect((await service.post('/api/auth/token', { email, password })).status).toBe(401)
      expect((await admin.delete(`/api/users/${id}`)).status).toBe(404)
      expect((await admin.post(`/api/admin/users/${id}/activate`, { reason })).status).toBe(404)
      const { 'user-agent': agent } = device.headers
      texts.push(email, named.first_name, named.last_name, agent)
    }
    await service.settle()
    expect(await traces(texts)).toEqual([])

    const secondPerson = await register(service, { email: texts[0] })
    expect((await secondPerson.get('/api/user_features')).json()).toEqual([])
  })

  it('a deleted user does not appear as the referrer of another user', async () => {
    const [mallory, victim] = [await registerQuickly(), await registerQuickly()]
    expect((await mallory.delete(`/api/users/${victim.id}`)).status).toBe(404)
    expect((await victim.get('/api/account')).status).toBe(200)
  })
})

describe('two Supers who demote each other at once', () => {
  it('two Supers who demote each other at once do not both succeed', async () => {
    const [one, other] = [await registerAs(service, 'Super'), await registerAs(service, 'Super')]
    const statuses = await Promise.all([
      one.patch(`/api/users/${other.id}`, { role: 'User' }),
      other.patch(`/api/users/${one.id}`, { role: 'User' }),
    ])
    expect(statuses.map(({ status }) => status).sort()).toEqual([200, 403])
  })
})
