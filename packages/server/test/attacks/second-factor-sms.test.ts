import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type as,
  logIn,
  type MailedService,
  mailedService,
  type Person,
  register,
  type Tokens,
} from '../support/people.ts'
import { enableApp, giveCode, passWith, smsSink } from '../support/second-factor.ts'

let service: MailedService
let phones: Awaited<ReturnType<typeof smsSink>>
beforeAll(async () => {
  phones = await smsSink()
  service = await mailedService({ env: { SMS_URL: phones.url } })
})
afterAll(async () => {
  await service.close()
  await phones.close()
})

type Caller = Pick<ReturnType<typeof as>, 'post'>
const minute = 60_000
let made = 0
const newPhone = () => `+1415555${String(1_000 + made++)}`
const prepare = (who: Caller, phone: string) =>
  who.post('/api/account/2fa/enable', { provider: 'SMS', phone })
const confirm = (who: Caller, code: string) => who.post('/api/account/2fa/confirm', { code })
const send = (who: Caller) => who.post('/api/account/2fa/sms_code')
const give = async (tokens: Tokens, code: string) => (await giveCode(service, tokens, code)).status
const notThis = (code: string) => (code === '111111' ? '222222' : '111111')
const factorsOf = async (person: Person) => {
  const [row] = await service.db
    .selectFrom('users')
    .select('two_factor_auth')
    .where('id', '=', person.id)
    .execute()
  return row?.two_factor_auth
}

/** Somebody whose phone is confirmed. */
async function withPhone() {
  const [person, phone] = [await register(service), newPhone()]
  expect((await prepare(person, phone)).status).toBe(200)
  expect((await confirm(person, await phones.codeTo(phone))).status).toBe(200)
  return { person, phone }
}

describe('a phone as second factor (T51)', () => {
  it('is confirmed by the code it gets, then asked for; answers show its last digits alone', async () => {
    const [person, phone] = [await register(service), newPhone()]
    const prepared = await prepare(person, phone)
    const code = await phones.codeTo(phone)
    const wrong = await confirm(person, notThis(code))
    const before = await logIn(service, person)
    const confirmed = await confirm(person, code)
    const { tokens, ...pending } = await logIn(service, person)
    const sent = await send(pending)

    expect(prepared.json()).toMatchObject({
      ...{ ga_secret: null, ga_qr_code_svg: null, phone_last_digits: phone.slice(-4) },
    })
    expect([wrong.status, confirmed.status]).toEqual([422, 200])
    expect([before.tokens.requires_2fa, tokens.requires_2fa]).toEqual([null, 'SMS'])
    expect(sent.json()).toMatchObject({ phone_last_digits: phone.slice(-4) })
    for (const { body } of [prepared, confirmed, sent])
      expect(body).not.toContain(phone.slice(1, -4))
    const passed = await passWith(service, tokens, await phones.codeTo(phone, 2))
    expect((await passed.get('/api/account')).status).toBe(200)
    expect(await give(tokens, await phones.codeTo(phone, 2))).toBe(422)
  })

  it('is a number with a country, and is given', async () => {
    const person = await register(service, { password: null })
    const bad = ['4155550100', '+0155550100', '+1415555010a', '+1', `+${'1'.repeat(16)}`, ' ', '']
    for (const phone of bad) {
      const { status } = await prepare(person, phone)
      expect([phone, [400, 422].includes(status)]).toEqual([phone, true])
    }
    const none = await person.post('/api/account/2fa/enable', { provider: 'SMS' })
    expect(none.json()).toMatchObject({ code: 'phone_missing' })
    expect((await send(person)).status).toBe(422)
  })

  it('gives its code to the session that asked, and to no other', async () => {
    const { person, phone } = await withPhone()
    const [one, other] = [await logIn(service, person), await logIn(service, person)]
    await send(one)
    const code = await phones.codeTo(phone, 2)
    expect(await give(other.tokens, code)).toBe(422)
    await send(other)
    await phones.codeTo(phone, 3)
    expect(await give(other.tokens, code)).toBe(422)
    expect(await give(one.tokens, code)).toBe(200)
  })

  it('gives a code that lasts five minutes', async () => {
    const { person, phone } = await withPhone()
    const { tokens, ...pending } = await logIn(service, person)
    await send(pending)
    const old = await phones.codeTo(phone, 2)
    service.clock.advance(5 * minute + 1_000)
    expect(await give(tokens, old)).toBe(422)
    await send(pending)
    const code = await phones.codeTo(phone, 3)
    service.clock.advance(4 * minute)
    expect(await give(tokens, code)).toBe(200)
  })

  it('gives a new code that voids the one before', async () => {
    const { person, phone } = await withPhone()
    const { tokens, ...pending } = await logIn(service, person)
    await send(pending)
    const first = await phones.codeTo(phone, 2)
    await send(pending)
    const second = await phones.codeTo(phone, 3)
    if (first !== second) expect(await give(tokens, first)).toBe(422)
    expect(await give(tokens, second)).toBe(200)
  })

  it('takes five tries for a code, whether or not the sixth is right', async () => {
    const { person, phone } = await withPhone()
    const { tokens, ...pending } = await logIn(service, person)
    await send(pending)
    const code = await phones.codeTo(phone, 2)
    for (let tries = 0; tries < 5; tries++) expect(await give(tokens, notThis(code))).toBe(422)
    // The wait for the person is over by then, the code is not.
    service.clock.advance(minute)
    expect(await give(tokens, code)).toBe(422)
    await send(pending)
    service.clock.advance(minute)
    expect(await give(tokens, await phones.codeTo(phone, 3))).toBe(200)
  })

  it('gets five messages an hour at most, whatever they are for', async () => {
    const { person, phone } = await withPhone()
    const { tokens, ...pending } = await logIn(service, person)
    for (let sent = 1; sent < 5; sent++) expect((await send(pending)).status).toBe(200)
    const last = await phones.codeTo(phone, 5)
    const refused = await send(pending)
    const elsewhere = await send(await logIn(service, person))

    expect([refused.status, elsewhere.status]).toEqual([429, 429])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    const passed = await passWith(service, tokens, last)
    expect((await prepare(passed, newPhone())).status).toBe(429)
    service.clock.advance(61 * minute)
    expect((await send(await logIn(service, person))).status).toBe(200)
    await phones.codeTo(phone, 6)
    await service.settle()
    expect(phones.codesTo(phone)).toHaveLength(6)
  })
})

describe('a phone that is not confirmed', () => {
  it('is no second factor: its code opens nothing but its own confirmation', async () => {
    const [person, phone] = [await register(service), newPhone()]
    const { app } = await enableApp(service, person)
    await prepare(person, phone)
    const code = await phones.codeTo(phone)

    expect(await give(person.tokens, code)).toBe(422)
    expect(await factorsOf(person)).toEqual(['AuthenticatorApp'])
    expect(await give(person.tokens, app.next())).toBe(200)
  })

  it('is not confirmed by a code that went to the one in force', async () => {
    const { person, phone } = await withPhone()
    const next = newPhone()
    await prepare(person, next)
    await phones.codeTo(next)
    // A code given long ago: what this session asks for now is the code that makes it fresh.
    await service.db
      .updateTable('sessions')
      .set({ second_factor_at: new Date(0) })
      .where('user_id', '=', person.id)
      .execute()
    expect((await send(person)).json()).toMatchObject({ phone_last_digits: phone.slice(-4) })
    const ofOld = await phones.codeTo(phone, 2)
    expect((await confirm(person, ofOld)).status).toBe(422)
    expect(await give(person.tokens, ofOld)).toBe(200)

    await prepare(person, next)
    expect((await confirm(person, await phones.codeTo(next, 2))).status).toBe(200)
    const sent = await send(await logIn(service, person))
    expect(sent.json()).toMatchObject({ phone_last_digits: next.slice(-4) })
  })

  it('gets its code again on request, while the one in force serves logins', async () => {
    const { person, phone } = await withPhone()
    const next = newPhone()
    await prepare(person, next)
    const first = await phones.codeTo(next)
    const again = await send(person)
    expect(again.json()).toMatchObject({ phone_last_digits: next.slice(-4) })
    const second = await phones.codeTo(next, 2)
    const pending = await logIn(service, person)
    expect((await send(pending)).json()).toMatchObject({ phone_last_digits: phone.slice(-4) })
    expect(await give(pending.tokens, await phones.codeTo(phone, 2))).toBe(200)

    if (first !== second) expect((await confirm(person, first)).status).toBe(422)
    expect((await confirm(person, second)).status).toBe(200)
  })

  it('gets no code any more when its set-up is too old', async () => {
    const person = await register(service)
    const phone = newPhone()
    await prepare(person, phone)
    await phones.codeTo(phone)
    service.clock.advance(16 * minute)
    const refused = await send(await logIn(service, person))
    expect([refused.status, refused.json()['code']]).toEqual([422, 'not_enabled'])
  })
})

describe('changing second factors (T47)', () => {
  it('with a stale code is refused and changes nothing', async () => {
    const { person, phone } = await withPhone()
    service.clock.advance(16 * minute)
    const refreshed = await logIn(service, person)
    await send(refreshed)
    const { tokens } = await passWith(service, refreshed.tokens, await phones.codeTo(phone, 2))
    service.clock.advance(14 * minute + 50_000)
    const { refresh_token } = tokens
    const renewed = await service.post('/api/auth/token/refresh', { refresh_token })
    const { access_token } = renewed.json<Tokens>()
    service.clock.advance(11_000)
    const headers = { authorization: `Bearer ${access_token}` }
    const wishes: [string, object][] = [
      ['/enable', { provider: 'SMS', phone: newPhone() }],
      ['/enable', { provider: 'AuthenticatorApp' }],
      ['', { provider: 'AuthenticatorApp' }],
      ['/disable', { disable_all: true }],
      ['/disable', { disable_all: false, provider: 'SMS' }],
    ]
    for (const [path, body] of wishes) {
      const answer = await service.post(`/api/account/2fa${path}`, body, { headers })
      const expected = { code: 'two_factor_required', provider: 'SMS' }
      expect([path, answer.status, answer.json()]).toMatchObject([path, 424, expected])
    }
    expect(await factorsOf(person)).toEqual(['SMS'])
    await service.settle()
    expect(phones.codesTo(phone)).toHaveLength(2)
  })

  it('is not for keys, of whoever', async () => {
    const { person } = await withPhone()
    const plain = await register(service, { password: null })
    for (const who of [person, plain]) {
      const made = await who.post('/api/api_keys', { name: 'a key' })
      const headers = { 'x-api-key': made.json<{ api_key: string }>().api_key }
      const calls: [string, object?][] = [
        ['/enable', { provider: 'AuthenticatorApp' }],
        ['/confirm', { code: '123456' }],
        ['/disable', { disable_all: true }],
        ['/sms_code'],
      ]
      for (const [path, body] of calls) {
        const { status } = await service.post(`/api/account/2fa${path}`, body, { headers })
        expect([path, status]).toEqual([path, 403])
      }
    }
    expect(await factorsOf(person)).toEqual(['SMS'])
  })

  it('voids the codes that went to a phone which is none any more', async () => {
    const { person, phone } = await withPhone()
    await enableApp(service, person)
    const { tokens, ...pending } = await logIn(service, person)
    await send(pending)
    const code = await phones.codeTo(phone, 2)
    const body = { disable_all: false, provider: 'SMS' }
    expect((await person.post('/api/account/2fa/disable', body)).status).toBe(200)
    expect(await give(tokens, code)).toBe(422)
    expect((await pending.get('/api/account')).status).toBe(403)
  })

  it('of two leaves the other in force, and asks for the one that was chosen first', async () => {
    const { person } = await withPhone()
    const { app } = await enableApp(service, person)
    expect((await logIn(service, person)).tokens.requires_2fa).toBe('AuthenticatorApp')
    const remove = (provider: string) =>
      person.post('/api/account/2fa/disable', { disable_all: false, provider })
    expect((await remove('AuthenticatorApp')).status).toBe(200)
    expect((await remove('AuthenticatorApp')).status).toBe(422)
    const { tokens } = await logIn(service, person)
    expect(tokens.requires_2fa).toBe('SMS')
    expect(await give(tokens, app.next())).toBe(422)
    expect((await remove('SMS')).status).toBe(200)
    expect((await logIn(service, person)).tokens.requires_2fa).toBeNull()
    expect(await factorsOf(person)).toEqual([])
  })
})
