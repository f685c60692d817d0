import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  bearer,
  goodPassword,
  type MailedService,
  newcomer,
  type Person,
  press,
  register,
  registerAs,
} from '../support/people.ts'
import { enableApp } from '../support/second-factor.ts'
import { sharedMailedService } from '../support/shared-service.ts'

let service: MailedService
let boss: Person
beforeAll(async () => {
  service = await sharedMailedService()
  boss = await registerAs(service, 'Super')
})

type Key = { id: string; api_key: string; scopes: string[]; expires_at: string | null }
const quickly = () => newcomer(service)
const ask = (person: Pick<Person, 'post'>, body: object = {}) =>
  person.post('/api/api_keys', { name: 'a key', ...body })
const make = async (person: Pick<Person, 'post'>, body: object = {}) => {
  const answer = await ask(person, body)
  expect(answer.status).toBe(200)
  return answer.json<Key>()
}
const list = async (person: Pick<Person, 'get'>) =>
  (await person.get('/api/api_keys')).json<Key[]>()
const withKey = ({ api_key }: Pick<Key, 'api_key'>, more: Record<string, string> = {}) => {
  const credentials = { headers: { 'x-api-key': api_key, ...more } }
  return {
    get: (path: string) => service.get(path, credentials),
    post: (path: string, body?: unknown) => service.post(path, body, credentials),
    patch: (path: string, body?: unknown) => service.patch(path, body, credentials),
    delete: (path: string) => service.delete(path, credentials),
  }
}
const status = async (key: Pick<Key, 'api_key'>, more: Record<string, string> = {}) =>
  (await withKey(key, more).get('/api/account')).status

describe('the rights of a key', () => {
  it('exclude scopes that its maker lacks (T54)', async () => {
    const person = await quickly()
    for (const scope of ['adminUser:roleUpdate', 'user:list', 'user:activate', 'auth:twoFactor']) {
      const { status } = await ask(person, { scopes: ['edition:read', scope] })
      expect([scope, status]).toEqual([scope, 403])
    }
    expect((await ask(person, { scopes: ['no:scope'] })).status).toBe(400)
    expect(await list(person)).toEqual([])
  })

  it('the rights of a key without scopes include nothing, not even reading (T54)', async () => {
    const person = await quickly()
    const key = withKey(await make(person, { scopes: [] }))
    const paths = ['/account', '/account/load', '/emoji_id', '/api_keys', '/pubkeys', '/users']
    for (const path of paths) {
      expect([path, (await key.get(`/api${path}`)).status]).toEqual([path, 403])
    }
    const refusal = (await key.get('/api/account')).json()
    expect(refusal['error']).toBe('This API key has no scopes. Create a key with scopes.')
    expect((await key.patch('/api/account', { first_name: 'Eve' })).status).toBe(403)
    expect((await key.post('/api/logout')).status).toBe(403)
    expect((await person.get('/api/account')).status).toBe(200)
  })

  it('shrink with the rights of its maker (T55)', async () => {
    const admin = await registerAs(service, 'Admin')
    const key = withKey(await make(admin))
    expect((await key.get('/api/users')).status).toBe(200)
    const demotionAnswer = await boss.patch(`/api/users/${admin.id}`, { role: 'User' })
    expect(demotionAnswer.status).toBe(200)
    expect((await key.get('/api/users')).status).toBe(403)
    expect((await key.get('/api/account')).status).toBe(200)
    await boss.post(`/api/admin/users/${admin.id}/deactivate`, { reason: 'Left us' })
    expect((await key.get('/api/account')).status).toBe(401)
  })

  it('the rights of a key do not include making keys, with more or the same scopes (T56)', async () => {
    const person = await quickly()
    const narrow = withKey(await make(person, { scopes: ['user:createApiKey', 'edition:read'] }))
    expect((await ask(narrow, { scopes: ['user:writeSelf'] })).status).toBe(403)
    expect(await list(person)).toHaveLength(1)
    expect((await ask(narrow, { scopes: ['edition:read'] })).status).toBe(403)
  })

  it('let an operator with log-in-as make a key for another user, limited to that user', async () => {
    const [person, admin] = [await quickly(), await registerAs(service, 'Admin')]
    const others = [person, admin, boss, await registerAs(service, 'Bot')]
    const askFor = (by: Pick<Person, 'post'>, { id }: { id: string }, body: object = {}) =>
      by.post(`/api/api_keys?user_id=${id}`, { name: 'the support’s', ...body })
    const stranger = await quickly()
    for (const by of [stranger, admin, await registerAs(service, 'Bot')]) {
      for (const person of others.filter(({ id }) => id !== (by as Person).id)) {
        expect((await askFor(by, person)).status).toBe(403)
      }
    }
    for (const by of [stranger, await registerAs(service, 'Bot')]) {
      // T61
      expect((await by.get(`/api/api_keys?user_id=${person.id}`)).status).toBe(403)
    }
    const equal = await askFor(boss, await registerAs(service, 'Super'))
    expect([equal.status, equal.json()['code']]).toEqual([403, 'not_below'])
    expect((await askFor(boss, { id: randomUUID() })).status).toBe(404)
    const keyOfBoss = withKey(await make(boss, { scopes: ['user:createApiKey', 'user:list'] }))
    expect((await askFor(keyOfBoss, person)).status).toBe(403)
    const excessAnswer = await askFor(boss, person, { scopes: ['user:list'] })
    expect(excessAnswer.status).toBe(403)
    expect((await boss.get(`/api/api_keys?user_id=${person.id}`)).json()).toEqual([])

    const scopes = ['user:createApiKey', 'adminUser:loginAs', 'cart:show']
    const able = withKey(await make(boss, { scopes }))
    expect((await askFor(able, person)).status).toBe(403)
    const narrow = (await askFor(boss, person, { scopes: ['cart:show'] })).json<Key>()
    expect(narrow.scopes).toEqual(['cart:show'])
    const wide = (await askFor(boss, person)).json<Key>()
    expect(wide.scopes).toContain('user:writeSelf')
    const { user } = (await withKey(wide).get('/api/account')).json<{ user: { id: string } }>()
    expect(user.id).toBe(person.id)
    expect((await list(person)).map(({ id }) => id)).toEqual([narrow.id, wide.id])
    expect((await person.delete(`/api/api_keys/${wide.id}`)).status).toBe(200)

    await service.mailTo(person.email, 2)
    const notices = service
      .mailsTo(person.email)
      .filter(({ subject }) => /operator/.test(subject ?? ''))
    expect(notices).toHaveLength(2)
    expect(notices[0]?.text).toContain('“the support’s”')
    const auditEntries = await service.db
      .selectFrom('audit_entries')
      .select('details')
      .where('event', '=', 'api_key.created')
      .where('actor_id', '=', boss.id)
      .where('subject_id', '=', person.id)
      .execute()
    expect(auditEntries).toHaveLength(2)
  })

  it('the rights of a key do not allow a key for a deactivated user, nor a fresh one where its owner has a second factor', async () => {
    const [out, careful] = [await quickly(), await quickly()]
    await boss.post(`/api/admin/users/${out.id}/deactivate`, { reason: 'Left us' })
    const refusal = await boss.post(`/api/api_keys?user_id=${out.id}`, { name: 'a key' })
    expect([refusal.status, refusal.json()['code']]).toEqual([422, 'inactive_owner'])
    await enableApp(service, careful)
    const keyResponse = await boss.post(`/api/api_keys?user_id=${careful.id}`, { name: 'a key' })
    const key = withKey(keyResponse.json<Key>())
    expect((await key.post('/api/api_keys', { name: 'another' })).status).toBe(403)
  })
})

describe('the lifetime of a key (T57)', () => {
  it('the lifetime of a key (T57) ends with its deletion, on the next request', async () => {
    const person = await quickly()
    const [key, other] = [await make(person), await make(person)]
    expect([await status(key), await status(other)]).toEqual([200, 200])
    expect((await person.delete(`/api/api_keys/${key.id}`)).status).toBe(200)
    expect([await status(key), await status(other)]).toEqual([401, 200])
    expect((await list(person)).map(({ id }) => id)).toEqual([other.id])
    expect((await person.delete(`/api/api_keys/${key.id}`)).status).toBe(404)
  })

  it('the lifetime of a key (T57) ends at its expiry, which cannot lie in the past at creation', async () => {
    const person = await quickly()
    const now = service.clock.now().getTime()
    const key = await make(person, { expires_at: new Date(now + 120_000).toISOString() })
    const past = await ask(person, { expires_at: new Date(now - 1_000).toISOString() })
    expect([await status(key), past.status]).toEqual([200, 422])
    expect((await ask(person, { expires_at: 'tomorrow' })).status).toBe(400)
    service.clock.advance(120_000)
    expect(await status(key)).toBe(401)
  })

  it('the lifetime of a key (T57) shows the key once: no list, response or table holds it', async () => {
    const person = await quickly()
    const { api_key, id } = await make(person)
    const responses = [
      (await person.get('/api/api_keys')).body,
      (await boss.get(`/api/api_keys?user_id=${person.id}`)).body,
      (await person.delete(`/api/api_keys/${id}`)).body,
    ]
    const rows = await service.db.selectFrom('api_keys').selectAll().execute()
    const audited = await service.db.selectFrom('audit_entries').selectAll().execute()
    const secret = api_key.slice('svc_'.length + 32)
    expect(secret.length).toBeGreaterThanOrEqual(43)
    for (const text of [...responses, JSON.stringify([rows, audited]), service.logged.join('')]) {
      expect(text.includes(secret) || text.includes(api_key)).toBe(false)
      expect(text).not.toContain(Buffer.from(api_key).toString('base64'))
    }
    expect(responses[0]).toContain(api_key.slice(0, 12))
  })

  it('the lifetime of a key (T57) is not ended by another user, for whom the key does not exist (T58)', async () => {
    const [person, stranger] = [await quickly(), await quickly()]
    const key = await make(person)
    for (const person of [stranger, boss, withKey(await make(stranger))]) {
      expect((await person.delete(`/api/api_keys/${key.id}`)).status).toBe(404)
    }
    for (const id of ['x', '%00', key.api_key]) {
      expect((await person.delete(`/api/api_keys/${id}`)).status).toBeOneOf([400, 404])
    }
    for (const id of ['0'.repeat(36), '-'.repeat(36), `${key.id.slice(1)}-`, randomUUID()]) {
      expect([id, (await person.delete(`/api/api_keys/${id}`)).status]).toEqual([id, 404])
    }
    expect(await status(key)).toBe(200)
  })
})

describe('the header of a key', () => {
  it('the header of a key works alone and beside a non-Bearer token, and identifies its user beside a token of the same user', async () => {
    const [person, stranger] = [await quickly(), await quickly()]
    const key = await make(person, { scopes: ['emoji::transfer'] })
    const own = bearer(person.tokens.access_token).headers
    const others = bearer(stranger.tokens.access_token).headers

    expect(await status(key)).toBe(200)
    expect(await status(key, { authorization: 'Basic YTpi' })).toBe(200)
    expect(await status(key, { authorization: 'some-app-key' })).toBe(200)
    expect(await status(key, own)).toBe(200)
    const renamedAnswer = await withKey(key, own).patch('/api/account', { first_name: 'Ada' })
    expect(renamedAnswer.status).toBe(200)
    expect(await status(key, others)).toBe(401)
    expect(await status(key, { authorization: 'Bearer x.y.z' })).toBe(401)
    expect(await status(key, { authorization: 'Bearer' })).toBe(401)
    expect(await status({ api_key: 'svc_x' }, own)).toBe(401)
  })

  it('requires the exact key', async () => {
    const { api_key } = await make(await quickly())
    const last = api_key.at(-1) === '0' ? '1' : '0'
    const forged = [
      `${api_key.slice(0, -1)}${last}`,
      api_key.slice(0, -1),
      `${api_key}0`,
      api_key.toUpperCase(),
      `${api_key},${api_key}`,
      `Bearer ${api_key}`,
      "' or 1=1 --",
      'svc_',
      'x'.repeat(5_000),
      `${api_key.slice(0, 12)}…`.replace('…', '...'),
    ]
    for (const one of forged) {
      expect([one, await status({ api_key: one })]).toEqual([one, 401])
    }
    expect(await status({ api_key })).toBe(200)
  })

  it('the header of a key works after signing out', async () => {
    const person = await quickly()
    const key = await make(person)
    await person.post('/api/logout')
    expect([(await person.get('/api/account')).status, await status(key)]).toEqual([401, 200])
    const refusal = await withKey(key).delete('/api/account/sessions')
    expect([refusal.status, refusal.json()['code']]).toEqual([403, 'insufficient_scope'])
    expect(refusal.json()['error']).toBe('API keys can’t do this. Sign in instead.')
  })
})

describe('making a key with an Idempotency-Key (T117)', () => {
  it('makes one key and never shows it again', async () => {
    const [person, stranger] = [await quickly(), await quickly()]
    const call = (person: Person, name = 'a key') => {
      const headers = { ...bearer(person.tokens.access_token).headers, 'idempotency-key': 'once' }
      return service.post('/api/api_keys', { name }, { headers })
    }
    const first = await call(person)
    const second = await call(person)

    expect([first.status, second.status]).toEqual([200, 422])
    expect(second.json()).toMatchObject({ code: 'already_done' })
    expect((await call(person, 'another')).json()).toMatchObject({ code: 'reused_idempotency_key' })
    expect(await list(person)).toHaveLength(1)
    expect(await status(first.json<Key>())).toBe(200)
    expect((await call(stranger)).status).toBe(200)
    const storedRows = await service.db.selectFrom('idempotency_keys').selectAll().execute()
    expect(JSON.stringify(storedRows)).not.toContain(first.json<Key>().api_key)
  })
})

describe('keys made before the owner of the mailbox took over', () => {
  it('keys made before the owner of the mailbox took over are revoked by the first link (T25)', async () => {
    const attacker = await register(service, { password: null })
    const key = await make(attacker)
    const page = await press(service, await service.linkTo(attacker.email))
    expect([page.status, await status(key)]).toEqual([200, 401])
    expect((await attacker.get('/api/account')).status).toBe(401)
    const { refresh_token } = attacker.tokens
    expect((await service.post('/api/auth/token/refresh', { refresh_token })).status).toBe(401)
  })

  it('keys made before the owner of the mailbox took over are revoked by “this was not me”, with the second factor (T26)', async () => {
    const attacker = await register(service)
    await enableApp(service, attacker)
    const key = await make(attacker)
    const link = await service.linkTo(attacker.email)
    const page = await press(service, link, '/disown')
    const { email } = attacker
    const login = await service.post('/api/auth/token', { email, password: goodPassword })

    expect([page.status, await status(key), login.status]).toEqual([200, 401, 401])
    const [user] = await service.db
      .selectFrom('users')
      .select('two_factor_auth')
      .where('id', '=', attacker.id)
      .execute()
    expect(user).toEqual({ two_factor_auth: [] })
  })
})
