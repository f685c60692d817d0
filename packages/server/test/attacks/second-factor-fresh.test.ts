import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeCode, redemptionCode, signedCode } from '../support/codes.ts'
import { newId } from '../support/ids.ts'
import { makeBox, typeBody } from '../support/lootboxes.ts'
import {
  callsWith,
  callsWithKey,
  goodPassword,
  logIn,
  newcomer,
  newEmail,
  type Person,
  registerAs,
} from '../support/people.ts'
import {
  authenticator,
  type EnabledApp,
  enableApp,
  enterCode,
  sendCode,
} from '../support/second-factor.ts'
import { type TestService, testService } from '../support/service.ts'
import { stopTheClock } from '../support/stopped-clock.ts'

const grace = 100_000
let service: TestService
/** An administrator's key outlasts access tokens. */
let headers: { 'x-api-key': string }
beforeAll(async () => {
  service = await testService({ env: { TWO_FACTOR_GRACE_SECONDS: String(grace / 1_000) } })
  const admin = await registerAs(service, 'Admin')
  const keyResponse = await admin.post('/api/api_keys', { name: 'for the tests' })
  headers = { 'x-api-key': keyResponse.json<{ api_key: string }>().api_key }
})
afterAll(() => service.close())

const required = { code: 'two_factor_required', provider: 'AuthenticatorApp' }
type Call = Pick<Person, 'get' | 'post' | 'patch' | 'delete'>
type Act = (credentials: Call, about: ProtectedPerson) => ReturnType<TestService['get']>
type ProtectedPerson = Awaited<ReturnType<typeof protectedPerson>>

const emoji = ['🌙', '🍎', '🍕', '🎸', '🎲', '🐝', '🐢', '🌵', '🍩', '🎈', '🐙', '🍋', '🌈', '🐬']
let idCount = 0
/** A user with a second factor, an id and a key. */
async function protectedPerson() {
  const emoji_id = `🦀🚀${emoji[idCount++]}`
  const person = await newcomer(service, { password: goodPassword })
  const grant = { emoji_id, user_id: person.id }
  const grantAnswer = await service.post('/api/admin/emoji_ids', grant, { headers })
  expect(grantAnswer.status).toBe(200)
  const key = (await person.post('/api/api_keys', { name: 'a key' })).json<{ id: string }>()
  const enabledApp = await enableApp(service, person)
  const path = `/api/emoji_id/${encodeURIComponent(emoji_id)}`
  return { person, path, key_id: key.id, ...enabledApp }
}
/** All state that the refused operations could have changed. */
const stateOf = async ({ person, path }: ProtectedPerson) => {
  const responses = [
    await person.get('/api/account'),
    await person.get('/api/api_keys'),
    await person.get('/api/emoji_id'),
    await service.get(path),
    await service.get(`${path}/json/SvcPageData`),
  ]
  return responses.map(({ body }) => JSON.parse(body))
}

/** From harmless to final: each succeeds in the end. */
const sensitive: Record<string, Act> = {
  'editing records': (credentials, { path }) =>
    credentials.patch(path, { insert: [{ tag: '0x0002', data: 'Guitars' }] }),
  'a store entry with linked records': (credentials, { path }) =>
    credentials.post(`${path}/json/SvcPageData`, {
      data: { a: 1 },
      linked_tags: [{ tag: '0x0005', data: 'Fire' }],
    }),
  'making an API key': (credentials) => credentials.post('/api/api_keys', { name: 'another' }),
  'deleting an API key': (credentials, { key_id }) => credentials.delete(`/api/api_keys/${key_id}`),
  'a new pubkey': (credentials) => credentials.post('/api/pubkeys'),
  'preparing an authenticator app': (credentials) =>
    credentials.post('/api/account/2fa', { provider: 'AuthenticatorApp' }),
  'preparing it by the other path': (credentials) =>
    credentials.post('/api/account/2fa/enable', { provider: 'AuthenticatorApp' }),
  'another email address': (credentials) =>
    credentials.patch('/api/account', { email: newEmail(), current_password: goodPassword }),
  'giving an id back': (credentials, { path }) => credentials.delete(path),
  'removing the second factor': (credentials) =>
    credentials.post('/api/account/2fa/disable', { disable_all: true }),
}

describe('sensitive operations (T49)', () => {
  it('work within the grace period, not after it, and again with a new code', async () => {
    stopTheClock()
    const about = await protectedPerson()
    const { person, app } = about
    service.clock.advance(grace + 1_000)
    const before = await stateOf(about)
    for (const [name, act] of Object.entries(sensitive)) {
      const refusal = await act(person, about)
      expect([name, refusal.status, refusal.json()]).toMatchObject([name, 424, required])
    }
    expect(await stateOf(about)).toEqual(before)
    const { tokens, ...passed } = await enterCode(service, person.tokens, app.next())
    service.clock.advance(grace - 15_000)
    for (const [name, act] of Object.entries(sensitive))
      expect([name, (await act(passed, about)).status]).toEqual([name, 200])
  })
})

describe('operator grants (T49)', () => {
  it('require a new code after the grace period', async () => {
    const operator = await registerAs(service, 'Admin')
    await enableApp(service, operator)
    const type = (await operator.post('/api/lootbox_type', typeBody())).json<{ id: string }>()
    const box = await makeBox(operator)
    service.clock.advance(grace + 1_000)
    const refusals = [
      await operator.post('/api/admin/emoji_ids', { emoji_id: newId(), user_id: operator.id }),
      await operator.post('/api/lootboxes', { status: 'Draft', yats: [newId()] }),
      await operator.patch(`/api/lootboxes/${box.id}`, { status: 'Used', owner_id: operator.id }),
      await operator.post('/api/lootbox_type/generate', {
        loot_box_type_id: type.id,
        num_boxes: 1,
      }),
    ]
    expect(refusals.map(({ status }) => status)).toEqual([424, 424, 424, 424])
    expect((await operator.get(`/api/lootboxes/${box.id}`)).json()).toMatchObject({
      status: 'Draft',
    })
  })
})

describe('after the grace period', () => {
  it('insensitive operations work: names, store entries without records, signing out', async () => {
    const { person, path } = await protectedPerson()
    service.clock.advance(grace + 1_000)
    const finalAnswers = [
      await person.patch('/api/account', { first_name: 'Ada' }),
      await person.post(`${path}/json/SvcPageData`, { data: { a: 1 } }),
      await person.get('/api/api_keys'),
      await person.post('/api/logout'),
    ]
    expect(finalAnswers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect((await person.get('/api/account')).status).toBe(401)
  })

  it('a new password requires a new code, which keeps the device fresh', async () => {
    const { person, app } = await protectedPerson()
    const change = { password: 'quite another password', current_password: goodPassword }
    service.clock.advance(grace + 1_000)
    const refusal = await person.patch('/api/account', change)
    expect([refusal.status, refusal.json()]).toMatchObject([424, required])
    expect((await logIn(service, person)).tokens.requires_2fa).toBe('AuthenticatorApp')
    const codeAnswer = await enterCode(service, person.tokens, app.next())
    const changeAnswer = await codeAnswer.patch('/api/account', change)
    const { token_response } = changeAnswer.json<{ token_response: typeof person.tokens }>()

    expect([changeAnswer.status, token_response.requires_2fa]).toEqual([200, null])
    expect((await codeAnswer.get('/api/account')).status).toBe(401)
    const secondPerson = await logIn(service, { email: person.email, password: change.password })
    expect(secondPerson.tokens.requires_2fa).toBe('AuthenticatorApp')
  })

  it('a user without a second factor needs no code', async () => {
    const person = await newcomer(service)
    service.clock.advance(grace + 1_000)
    expect((await person.post('/api/api_keys', { name: 'a key' })).status).toBe(200)
  })

  it('deleting the account requires a new code, and no code is accepted afterwards', async () => {
    const person = await newcomer(service, { password: goodPassword })
    const { app } = await enableApp(service, person)
    service.clock.advance(grace + 1_000)
    const remove = (credentials: Call) => credentials.delete(`/api/users/${person.id}`)
    expect((await remove(person)).status).toBe(424)
    expect((await person.get('/api/account')).status).toBe(200)
    const codeAnswer = await enterCode(service, person.tokens, app.next())
    expect((await remove(codeAnswer)).status).toBe(200)
    expect((await sendCode(service, codeAnswer.tokens, app.next())).status).toBe(401)
  })
})

describe('an unconfirmed second factor (T46)', () => {
  const prepare = async (credentials: Call) =>
    (
      await credentials.post('/api/account/2fa/enable', { provider: 'AuthenticatorApp' })
    ).json<EnabledApp>()

  it('an unconfirmed second factor (T46) is not asked for, and its backup codes are rejected', async () => {
    const person = await newcomer(service, { password: goodPassword })
    const { ga_secret, backup_codes } = await prepare(person)
    const code = authenticator(service, ga_secret).code()
    const { tokens, get } = await logIn(service, person)
    const [backup_code] = backup_codes
    const byBackup = { email: person.email, backup_code, disable_all: true }

    expect(tokens.requires_2fa).toBeNull()
    expect((await get('/api/account')).json()).toMatchObject({ user: { two_factor_auth: null } })
    expect((await sendCode(service, tokens, code)).status).toBe(422)
    expect((await service.post('/api/account/2fa/backup_disable', byBackup)).status).toBe(422)
    expect((await get('/api/account')).status).toBe(200)
  })

  it('an unconfirmed second factor (T46) leaves the active one unchanged until confirmation, and never shows its secret again', async () => {
    const { person, app, ga_secret, backup_codes } = await protectedPerson()
    const next = await prepare(person)
    const nextApp = authenticator(service, next.ga_secret)

    expect(next.ga_secret).not.toBe(ga_secret)
    expect(next.backup_codes.filter((code) => backup_codes.includes(code))).toEqual([])
    expect(JSON.stringify(next)).not.toContain(ga_secret)
    expect((await sendCode(service, person.tokens, nextApp.code())).status).toBe(422)
    expect((await sendCode(service, person.tokens, app.next())).status).toBe(200)
    const wrong = await person.post('/api/account/2fa/confirm', { code: nextApp.wrong() })
    const confirmationAnswer = await person.post('/api/account/2fa/confirm', {
      code: nextApp.code(),
    })
    expect([wrong.status, confirmationAnswer.status]).toEqual([422, 200])
    const repeatAnswer = await person.post('/api/account/2fa/confirm', { code: nextApp.code() })
    expect(repeatAnswer.json()).toMatchObject({ code: 'nothing_to_confirm' })
    expect((await sendCode(service, person.tokens, app.next())).status).toBe(422)
    expect((await sendCode(service, person.tokens, backup_codes[0] ?? '')).status).toBe(422)
    expect((await sendCode(service, person.tokens, nextApp.next())).status).toBe(200)
  })

  it('expires after 15 minutes', async () => {
    stopTheClock()
    const person = await newcomer(service)
    const { ga_secret } = await prepare(person)
    service.clock.advance(14 * 60_000 + 50_000)
    const app = authenticator(service, ga_secret)
    const earlyAnswer = await person.post('/api/account/2fa/confirm', { code: app.wrong() })
    service.clock.advance(11_000)
    const { refresh_token } = person.tokens
    const renewalAnswer = await service.post('/api/auth/token/refresh', { refresh_token })
    const { access_token } = renewalAnswer.json<typeof person.tokens>()
    const late = await callsWith(service, { access_token }).post('/api/account/2fa/confirm', {
      code: app.code(),
    })
    expect([earlyAnswer.json()['code'], late.json()['code']]).toEqual([
      'wrong_code',
      'nothing_to_confirm',
    ])
  })
})

type Caller = Pick<Person, 'get' | 'post' | 'patch' | 'put' | 'delete'>
/** An administrator whose last code has expired, and a key made before that. */
async function staleAdmin() {
  const person = await registerAs(service, 'Admin')
  const { app } = await enableApp(service, person)
  const login = await service.post('/api/auth/token', person)
  const fresh = await enterCode(service, login.json(), app.next())
  const key = await callsWithKey(service, fresh)
  service.clock.advance(grace + 1_000)
  return {
    id: person.id,
    stale: fresh,
    key,
    pass: () => enterCode(service, fresh.tokens, app.next()),
  }
}
const grantTo = async (user_id: string) => {
  const emoji_id = newId()
  await service.post('/api/admin/emoji_ids', { emoji_id, user_id }, { headers })
  return emoji_id
}
describe('without a fresh code', () => {
  it('an operator and their key change no code, fee, feature, lock, box type or page of other users', async () => {
    const { stale, key, pass } = await staleAdmin()
    const maker = await registerAs(service, 'Admin')
    const user = await newcomer(service, { password: goodPassword })
    const emoji_id = await grantTo(user.id)
    const { id: code } = await makeCode(maker, signedCode({ discount_as_percentage: 10 }))
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
    const emoji_id = await grantTo(person.id)
    await enableApp(service, person)
    service.clock.advance(grace + 1_000)
    const page = `/api/emoji_id/${encodeURIComponent(emoji_id)}/json/SvcPageData`
    expect((await person.post(page, { data: { title: 'Mine' } })).status).toBe(200)
  })
})

describe('after removing the second factor', () => {
  it('older keys stay restricted, and new ones are not', async () => {
    const { stale, key, pass } = await staleAdmin()
    const before = await callsWithKey(service, await pass())
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
    const anew = await callsWithKey(service, stale)
    const createResponse = await anew.post(
      '/api/admin/codes',
      redemptionCode({ discount_as_percentage: 100 }),
    )
    expect(createResponse.status).toBe(200)
  })
})

it('one of two concurrent price changes is rejected', async () => {
  const admin = await registerAs(service, 'Admin')
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
