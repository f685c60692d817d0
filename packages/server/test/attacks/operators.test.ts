import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeCode, redemptionCode, signedCode } from '../support/codes.ts'
import { newId } from '../support/ids.ts'
import { typeBody } from '../support/lootboxes.ts'
import { goodPassword, newcomer, type Person, registerAs } from '../support/people.ts'
import { enableApp, enterCode } from '../support/second-factor.ts'
import { type TestService, testService } from '../support/service.ts'

let service: TestService
let admin: Person
beforeAll(async () => {
  service = await testService({ env: { TWO_FACTOR_GRACE_SECONDS: '100' } })
  admin = await registerAs(service, 'Admin')
})
afterAll(() => service?.close())

type Caller = Pick<Person, 'get' | 'post' | 'patch' | 'put' | 'delete'>
/** Calls with a newly made key. */
async function keyOf(maker: Pick<Person, 'post'>, scopes?: string[]) {
  const keyResponse = await maker.post('/api/api_keys', {
    name: 'a key',
    ...(scopes ? { scopes } : {}),
  })
  expect(keyResponse.status).toBe(200)
  const { id, api_key } = keyResponse.json<{ id: string; api_key: string }>()
  const headers = { 'x-api-key': api_key }
  const call = (method: string) => (path: string, body?: unknown) =>
    service.call(method, path, { headers, body })
  const calls = { get: call('GET'), post: call('POST'), patch: call('PATCH'), put: call('PUT') }
  return { id, ...calls, delete: call('DELETE') }
}
/** An administrator whose last code has expired, and a key made before that. */
async function staleAdmin() {
  const person = await registerAs(service, 'Admin')
  const { app } = await enableApp(service, person)
  const login = await service.post('/api/auth/token', person)
  const fresh = await enterCode(service, login.json(), app.next())
  const key = await keyOf(fresh)
  service.clock.advance(101_000)
  return {
    id: person.id,
    stale: fresh,
    key,
    pass: () => enterCode(service, fresh.tokens, app.next()),
  }
}
async function lastNote(event: string, actor_id: string) {
  const page = await admin.get(`/api/admin/audit?event=${event}&actor_id=${actor_id}&limit=1`)
  return page.json<{ data: { details: Record<string, unknown> }[] }>().data[0]?.details
}
const grant = async (user_id: string) => {
  const emoji_id = newId()
  await admin.post('/api/admin/emoji_ids', { emoji_id, user_id })
  return emoji_id
}
describe('without a fresh code', () => {
  it('an operator and their key change no code, fee, feature, lock, box type or page of other users', async () => {
    const { stale, key, pass } = await staleAdmin()
    const user = await newcomer(service, { password: goodPassword })
    const emoji_id = await grant(user.id)
    const { id: code } = await makeCode(admin, signedCode({ discount_as_percentage: 10 }))
    const page = `/api/emoji_id/${encodeURIComponent(emoji_id)}/json/SvcPageData`
    const lock = `/api/admin/emoji_ids/${encodeURIComponent(emoji_id)}/json/SvcPageData/lock`
    const writes: ((caller: Caller) => ReturnType<Caller['post']>)[] = [
      (caller) => caller.post('/api/admin/codes', redemptionCode({ discount_as_percentage: 100 })),
      (caller) => caller.patch(`/api/admin/codes/${code}`, { discount_as_percentage: 99 }),
      (caller) => caller.delete(`/api/admin/codes/${code}`),
      (caller) =>
        caller.post('/api/admin/organizations', { name: 'Crabs', client_fee_percent: 99 }),
      (caller) => caller.put(`/api/admin/users/${user.id}/features`, { codes: ['beta'] }),
      (caller) => caller.post('/api/lootbox_type', typeBody()),
      (caller) => caller.put(lock, { is_locked: true }),
    ]
    for (const write of writes) {
      expect((await write(stale)).status).toBe(424)
      const refusal = await write(key)
      expect([refusal.status, refusal.json()['code']]).toEqual([403, 'not_for_keys'])
    }
    expect((await stale.post(page, { data: { title: 'Mine' } })).status).toBe(424)
    expect((await user.post(page, { data: { title: 'Theirs' } })).status).toBe(200)

    const fresh = await pass()
    expect((await fresh.post(page, { data: { title: 'Ours' } })).status).toBe(200)
    for (const write of writes) expect((await write(fresh)).status).toBe(200)
  })

  it('an owner can still write the page of their id', async () => {
    const person = await newcomer(service, { password: goodPassword })
    const emoji_id = await grant(person.id)
    await enableApp(service, person)
    service.clock.advance(101_000)
    const page = `/api/emoji_id/${encodeURIComponent(emoji_id)}/json/SvcPageData`
    expect((await person.post(page, { data: { title: 'Mine' } })).status).toBe(200)
  })
})

describe('after removing the second factor', () => {
  it('older keys stay restricted, and new ones are not', async () => {
    const { stale, key, pass } = await staleAdmin()
    const before = await keyOf(await pass())
    const fresh = await pass()
    await fresh.post('/api/account/2fa/disable', { disable_all: true })
    for (const old of [key, before]) {
      const refusal = await old.post(
        '/api/admin/codes',
        redemptionCode({ discount_as_percentage: 100 }),
      )
      expect([refusal.status, refusal.json()['code']]).toEqual([403, 'not_for_keys'])
      expect((await old.post('/api/api_keys', { name: 'another' })).status).toBe(403)
      expect((await old.get('/api/admin/jobs')).status).toBe(200)
    }
    const anew = await keyOf(stale)
    const createResponse = await anew.post(
      '/api/admin/codes',
      redemptionCode({ discount_as_percentage: 100 }),
    )
    expect(createResponse.status).toBe(200)
  })
})

describe('the audit log', () => {
  it('records whether a session or a key acted, and why', async () => {
    const maker = await registerAs(service, 'Admin')
    const key = await keyOf(maker)
    const reason = 'Our birthday'
    const make = (caller: Caller) =>
      caller.post('/api/admin/codes', { ...redemptionCode({ discount_as_percentage: 10 }), reason })
    const { id } = (await make(key)).json<{ id: string }>()
    expect(await lastNote('code.created', maker.id)).toMatchObject({ by_key: key.id, reason })
    await make(maker)
    const auditEntry = await lastNote('code.created', maker.id)
    expect(auditEntry).toMatchObject({ by_session: expect.any(String), reason })
    expect(auditEntry).not.toHaveProperty('by_key')
    await maker.delete(`/api/admin/codes/${id}?reason=A+mistake`)
    expect(await lastNote('code.deleted', maker.id)).toMatchObject({ reason: 'A mistake' })
    const user = await newcomer(service, { password: goodPassword })
    await maker.put(`/api/admin/users/${user.id}/features`, { codes: ['beta'], reason })
    expect(await lastNote('features.changed', maker.id)).toMatchObject({ reason })
  })

  it('records the old and new free limit; operators cannot raise their own', async () => {
    const [maker, user] = [
      await registerAs(service, 'Admin'),
      await newcomer(service, { password: goodPassword }),
    ]
    await maker.patch(`/api/users/${user.id}`, { free_limit: 9, reason: 'A prize' })
    expect(await lastNote('account.changed', maker.id)).toMatchObject({
      free_limit: { from: 1, to: 9 },
      reason: 'A prize',
    })
    const own = await maker.patch(`/api/users/${maker.id}`, { free_limit: 9, reason: 'A prize' })
    expect([own.status, own.json()['code']]).toEqual([403, 'own_limit'])
  })
})

it('a key for one purpose reads neither sessions nor keys nor transfers', async () => {
  const person = await newcomer(service, { password: goodPassword })
  const key = await keyOf(person, ['edition:read'])
  const lists = ['/account/sessions', '/api_keys', '/transfers', '/transfers/incoming']
  for (const list of lists) {
    expect([list, (await key.get(`/api${list}`)).status]).toEqual([list, 403])
    expect([list, (await person.get(`/api${list}`)).status]).toEqual([list, 200])
  }
  const able = await keyOf(person, ['emoji::transfer', 'user:createApiKey'])
  expect((await able.get('/api/transfers')).status).toBe(200)
  expect((await able.get('/api/api_keys')).status).toBe(200)
  expect((await able.get('/api/account/sessions')).status).toBe(403)
})

it('one of two concurrent price changes is rejected', async () => {
  const prices = Array.from({ length: 100 }, () => 700)
  const [newest] = (await admin.get('/api/admin/prices')).json<{ version: number }[]>()
  const set = () =>
    admin.post('/api/admin/prices', {
      prices,
      reason: 'Everything costs seven',
      based_on: newest?.version,
    })
  const answers = await Promise.all([set(), set()])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  const late = answers.find(({ status }) => status === 409)
  expect(late?.json()['code']).toBe('outdated_prices')
})
