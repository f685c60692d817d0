import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addJob } from '../../src/platform/jobs/jobs.ts'
import {
  type callsWith,
  goodPassword,
  logIn,
  type MailedService,
  newcomer,
  type Person,
  press,
  register,
  type Tokens,
} from '../support/people.ts'
import {
  authenticator,
  type EnabledApp,
  enableApp,
  enterCode,
  sendCode,
} from '../support/second-factor.ts'
import { type TestService, testService } from '../support/service.ts'
import { type Phones, sharedPhones } from '../support/shared-phones.ts'
import { fromOwnAddress } from '../support/shared-service.ts'
import { stopTheClock } from '../support/stopped-clock.ts'

let service: MailedService
/** Another process on the same data, with another list of countries. */
let second: TestService
let phones: Phones
beforeAll(async () => {
  ;({ service, phones } = await sharedPhones())
  second = await testService({
    env: { SMS_URL: phones.url, TRUST_PROXY: '127.0.0.1', DEV_PAGES: 'false', SMS_COUNTRIES: 'US' },
    databaseUrl: String(service.database?.url),
  })
})
// Most tests move only the clock of the first.
beforeEach(() => second.clock.advance(service.clock.now().getTime() - second.clock.now().getTime()))
afterAll(() => second.close())

type Caller = Pick<ReturnType<typeof callsWith>, 'post'>
const minute = 60_000
const hour = 60 * minute
let phoneCount = 0
const newPhone = () => `+1415555${String(1_000 + phoneCount++)}`
/** A new person in a separate network. */
const confirmedPerson = (at: TestService = fromOwnAddress(service)) =>
  newcomer(at, { password: goodPassword, isVerified: true })
const verified = (at: TestService = fromOwnAddress(service)) => newcomer(at, { isVerified: true })
const withoutEmail = (at: TestService) => register(at, { email: null, alternate_id: randomUUID() })
const prepare = (caller: Caller, phone: string) =>
  caller.post('/api/account/2fa/enable', { provider: 'SMS', phone })
const confirm = (caller: Caller, code: string) => caller.post('/api/account/2fa/confirm', { code })
const send = (caller: Caller) => caller.post('/api/account/2fa/sms_code')
const give = async (tokens: Tokens, code: string) => (await sendCode(service, tokens, code)).status
const notThis = (code: string) => (code === '111111' ? '222222' : '111111')
const factorsOf = async (person: Person) => {
  const [row] = await service.db
    .selectFrom('users')
    .select('two_factor_auth')
    .where('id', '=', person.id)
    .execute()
  return row?.two_factor_auth
}

/** Leaves the counts as after further messages like the latest to this user. */
async function repeatSending(
  { id }: Person,
  count: number,
  change: { at?: Date; is_known?: boolean } = {},
) {
  const latest = await service.db
    .selectFrom('sms_sendings')
    .selectAll()
    .where('user_id', '=', id)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  const rows = Array<typeof latest>(count).fill({ ...latest, ...change })
  await service.db.insertInto('sms_sendings').values(rows).execute()
}

/** A user with a confirmed phone. */
async function withPhone(at = fromOwnAddress(service)) {
  const [person, phone] = [await confirmedPerson(at), newPhone()]
  expect((await prepare(person, phone)).status).toBe(200)
  expect((await confirm(person, await phones.codeTo(phone))).status).toBe(200)
  return { person, phone }
}

describe('a phone as second factor (T51)', () => {
  it('a phone as second factor (T51) is confirmed by its code, then asked for; responses show only its last digits', async () => {
    const [person, phone] = [await confirmedPerson(), newPhone()]
    const preparationAnswer = await prepare(person, phone)
    const code = await phones.codeTo(phone)
    const wrong = await confirm(person, notThis(code))
    const before = await logIn(service, person)
    const confirmationAnswer = await confirm(person, code)
    const { tokens, ...pending } = await logIn(service, person)
    const sendAnswer = await send(pending)

    expect(preparationAnswer.json()).toMatchObject({
      ga_secret: null,
      ga_qr_code_svg: null,
      phone_last_digits: phone.slice(-4),
    })
    expect([wrong.status, confirmationAnswer.status]).toEqual([422, 200])
    expect([before.tokens.requires_2fa, tokens.requires_2fa]).toEqual([null, 'SMS'])
    expect(sendAnswer.json()).toMatchObject({ phone_last_digits: phone.slice(-4) })
    for (const { body } of [preparationAnswer, confirmationAnswer, sendAnswer])
      expect(body).not.toContain(phone.slice(1, -4))
    const codeAnswer = await enterCode(service, tokens, await phones.codeTo(phone, 2))
    expect((await codeAnswer.get('/api/account')).status).toBe(200)
    expect(await give(tokens, await phones.codeTo(phone, 2))).toBe(422)
  })

  it('requires a number with a country code', async () => {
    const person = await verified()
    const bad = ['4155550100', '+0155550100', '+1415555010a', '+1', `+${'1'.repeat(16)}`, ' ', '']
    for (const phone of bad) {
      const { status } = await prepare(person, phone)
      expect([phone, [400, 422].includes(status)]).toEqual([phone, true])
    }
    const none = await person.post('/api/account/2fa/enable', { provider: 'SMS' })
    expect(none.json()).toMatchObject({ code: 'missing_phone' })
    expect((await send(person)).status).toBe(422)
  })

  it('sends its code to the requesting session only', async () => {
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

  it('sends a new code that voids the previous one, and expires after five minutes', async () => {
    const { person, phone } = await withPhone()
    const { tokens, ...pending } = await logIn(service, person)
    await send(pending)
    const first = await phones.codeTo(phone, 2)
    await send(pending)
    const second = await phones.codeTo(phone, 3)
    if (first !== second) expect(await give(tokens, first)).toBe(422)
    service.clock.advance(5 * minute + 1_000)
    expect(await give(tokens, second)).toBe(422)
    await send(pending)
    const code = await phones.codeTo(phone, 4)
    service.clock.advance(4 * minute)
    expect(await give(tokens, code)).toBe(200)
  })

  it('accepts five tries for a code, even if the sixth is correct', async () => {
    const { person, phone } = await withPhone()
    const { tokens, ...pending } = await logIn(service, person)
    await send(pending)
    const code = await phones.codeTo(phone, 2)
    for (let tries = 0; tries < 5; tries++) expect(await give(tokens, notThis(code))).toBe(422)
    // By then the user's back-off is over, but the code has not expired.
    service.clock.advance(minute)
    expect(await give(tokens, code)).toBe(422)
    await send(pending)
    service.clock.advance(minute)
    expect(await give(tokens, await phones.codeTo(phone, 3))).toBe(200)
  })

  it('a phone as second factor (T51) gets at most five messages an hour for all purposes', async () => {
    const { person, phone } = await withPhone(service)
    const { tokens, ...pending } = await logIn(service, person)
    await repeatSending(person, 4, { is_known: true })
    expect((await send(pending)).status).toBe(200)
    const last = await phones.codeTo(phone, 2)
    const refusal = await send(pending)
    const otherAnswer = await send(await logIn(service, person))

    expect([refusal.status, otherAnswer.status]).toEqual([429, 429])
    expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0)
    const codeAnswer = await enterCode(service, tokens, last)
    expect((await prepare(codeAnswer, newPhone())).status).toBe(429)
    service.clock.advance(61 * minute)
    expect((await send(await logIn(service, person))).status).toBe(200)
    await phones.codeTo(phone, 3)
    await service.settle()
    expect(phones.codesTo(phone)).toHaveLength(3)
  })
})

describe('a thief of the password, who requests text messages', () => {
  const statusesFrom = async (at: TestService, person: Person, count: number) => {
    const pending = await logIn(at, person)
    const statuses: number[] = []
    for (let n = 0; n < count; n++) statuses.push((await send(pending)).status)
    return statuses
  }

  it('in one network leaves those of the owner in any other', async () => {
    const { person } = await withPhone()
    const away = fromOwnAddress(service)
    expect(await statusesFrom(fromOwnAddress(service), person, 6)).toEqual([
      ...Array(5).fill(200),
      429,
    ])
    expect(await statusesFrom(away, person, 1)).toEqual([200])
  })

  it('in many networks leaves those of the owner in the network of the last accepted code', async () => {
    const home = fromOwnAddress(service)
    const { person } = await withPhone(home)
    for (let network = 0; network < 3; network++) {
      await statusesFrom(fromOwnAddress(service), person, 5)
    }
    expect(await statusesFrom(fromOwnAddress(service), person, 1)).toEqual([429])
    expect(await statusesFrom(home, person, 1)).toEqual([200])
  })
})

describe('an unconfirmed phone', () => {
  it('an unconfirmed phone is no second factor: its code only confirms itself', async () => {
    const [person, phone] = [await confirmedPerson(), newPhone()]
    const { app } = await enableApp(service, person)
    await prepare(person, phone)
    const code = await phones.codeTo(phone)

    expect(await give(person.tokens, code)).toBe(422)
    expect(await factorsOf(person)).toEqual(['AuthenticatorApp'])
    expect(await give(person.tokens, app.next())).toBe(200)
  })

  it('an unconfirmed phone is not confirmed by a code sent to the active one', async () => {
    const { person, phone } = await withPhone()
    const next = newPhone()
    await prepare(person, next)
    await phones.codeTo(next)
    // An expired code: this session now requests the code that makes it fresh.
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
    const sendAnswer = await send(await logIn(service, person))
    expect(sendAnswer.json()).toMatchObject({ phone_last_digits: next.slice(-4) })
  })

  it('an unconfirmed phone gets its code again on request, while the active one serves logins', async () => {
    const { person, phone } = await withPhone()
    const next = newPhone()
    await prepare(person, next)
    const first = await phones.codeTo(next)
    const secondAnswer = await send(person)
    expect(secondAnswer.json()).toMatchObject({ phone_last_digits: next.slice(-4) })
    const second = await phones.codeTo(next, 2)
    const pending = await logIn(service, person)
    expect((await send(pending)).json()).toMatchObject({ phone_last_digits: phone.slice(-4) })
    expect(await give(pending.tokens, await phones.codeTo(phone, 2))).toBe(200)

    if (first !== second) expect((await confirm(person, first)).status).toBe(422)
    expect((await confirm(person, second)).status).toBe(200)
  })

  it('an unconfirmed phone gets no code once its set-up has expired', async () => {
    const person = await confirmedPerson()
    const phone = newPhone()
    await prepare(person, phone)
    await phones.codeTo(phone)
    service.clock.advance(16 * minute)
    const refusal = await send(await logIn(service, person))
    expect([refusal.status, refusal.json()['code']]).toEqual([422, 'not_enabled'])
  })
})

describe('two set-ups in different sessions (T47)', () => {
  const enableAppIn = async (caller: Caller) =>
    (
      await caller.post('/api/account/2fa/enable', { provider: 'AuthenticatorApp' })
    ).json<EnabledApp>()

  it('a code that one requested does not enable the phone of the other', async () => {
    const person = await confirmedPerson()
    const thief = await logIn(service, person)
    const [own, strange] = [newPhone(), newPhone()]
    await prepare(person, own)
    const code = await phones.codeTo(own)
    expect((await prepare(thief, strange)).status).toBe(200)
    expect((await send(person)).json()).toMatchObject({ phone_last_digits: own.slice(-4) })
    for (const caller of [thief, person]) expect((await confirm(caller, code)).status).toBe(422)
    expect(await factorsOf(person)).toEqual([])

    expect((await confirm(person, await phones.codeTo(own, 2))).status).toBe(200)
    const sendAnswer = await send(await logIn(service, person))
    expect(sendAnswer.json()).toMatchObject({ phone_last_digits: own.slice(-4) })
  })

  it('a code for one phone does not enable the next phone of the same session', async () => {
    const person = await confirmedPerson()
    const [one, other] = [newPhone(), newPhone()]
    await prepare(person, one)
    const code = await phones.codeTo(one)
    await prepare(person, other)
    expect((await confirm(person, code)).status).toBe(422)
    await prepare(person, one)
    expect((await confirm(person, code)).status).toBe(422)
    expect(await factorsOf(person)).toEqual([])
  })

  it('an owner confirms the own secret and backup codes, and the other set-up ends', async () => {
    const person = await confirmedPerson()
    const thief = await logIn(service, person)
    const own = await enableAppIn(person)
    const strange = await enableAppIn(thief)
    const strangeCode = authenticator(service, strange.ga_secret).code()
    expect((await confirm(person, strangeCode)).status).toBe(422)
    const app = authenticator(service, own.ga_secret)
    expect((await confirm(person, app.code())).status).toBe(200)
    expect((await confirm(thief, strangeCode)).status).toBe(403)
    expect(await give(thief.tokens, app.next())).toBe(200)
    const refusal = await confirm(thief, authenticator(service, strange.ga_secret).code())
    expect([refusal.status, refusal.json()['code']]).toEqual([422, 'nothing_to_confirm'])
    expect(await give(thief.tokens, strange.backup_codes[0] ?? '')).toBe(422)
    expect(await give(thief.tokens, own.backup_codes[0] ?? '')).toBe(200)
  })

  it.each<[string, (person: Person, backup_code: string) => Promise<{ status: number }>]>([
    ['disabled', (person) => person.post('/api/account/2fa/disable', { disable_all: true })],
    [
      'removed with a backup code',
      ({ email }, backup_code) =>
        service.post('/api/account/2fa/backup_disable', { email, backup_code, disable_all: true }),
    ],
  ])('none of them outlives a second factor that is %s', async (_how, remove) => {
    const person = await confirmedPerson()
    const { backup_codes } = await enableApp(service, person)
    const phone = newPhone()
    await prepare(person, phone)
    const code = await phones.codeTo(phone)
    expect((await remove(person, backup_codes[0] ?? '')).status).toBe(200)
    expect((await confirm(person, code)).status).not.toBe(200)
    expect(await factorsOf(person)).toEqual([])
  })
})

describe('a replaced phone', () => {
  const replace = async (person: Person) => {
    const next = newPhone()
    await prepare(person, next)
    expect((await confirm(person, await phones.codeTo(next))).status).toBe(200)
    return next
  }

  it('gives no access by a code that it received before, in any session', async () => {
    const { person, phone } = await withPhone()
    const pending = await logIn(service, person)
    const other = await logIn(service, person)
    await send(pending)
    const code = await phones.codeTo(phone, 2)
    await send(other)
    const otherCode = await phones.codeTo(phone, 3)
    const next = await replace(person)
    expect(await give(pending.tokens, code)).toBe(422)
    expect(await give(other.tokens, otherCode)).toBe(422)
    await send(pending)
    expect(await give(pending.tokens, await phones.codeTo(next, 2))).toBe(200)
  })

  it('gives no access by a code that is used while it is replaced', async () => {
    const { person, phone } = await withPhone()
    const pending = await logIn(service, person)
    await send(pending)
    const code = await phones.codeTo(phone, 2)
    const next = newPhone()
    await prepare(person, next)
    const nextCode = await phones.codeTo(next)
    const [confirmed, given] = await Promise.all([
      confirm(person, nextCode),
      give(pending.tokens, code),
    ])
    expect(confirmed.status).toBe(200)
    expect([200, 422]).toContain(given)
    // If the code came first, replacing the phone made its session owe a code again.
    expect((await pending.get('/api/account')).status).toBe(403)
    const refreshed = await service.post('/api/auth/token/refresh', pending.tokens)
    expect(refreshed.json()).toMatchObject({ requires_2fa: 'SMS' })
  })
})

describe('changing second factors (T47)', () => {
  it('changing second factors (T47) with an expired code is rejected and changes nothing', async () => {
    stopTheClock()
    const { person, phone } = await withPhone()
    service.clock.advance(16 * minute)
    const refreshedPerson = await logIn(service, person)
    await send(refreshedPerson)
    const { tokens } = await enterCode(
      service,
      refreshedPerson.tokens,
      await phones.codeTo(phone, 2),
    )
    service.clock.advance(14 * minute + 50_000)
    const { refresh_token } = tokens
    const renewalAnswer = await service.post('/api/auth/token/refresh', { refresh_token })
    const { access_token } = renewalAnswer.json<Tokens>()
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

  it('changing second factors (T47) is refused to keys of any user', async () => {
    const { person } = await withPhone()
    const plain = await register(service, { password: null })
    for (const client of [person, plain]) {
      const keyResponse = await client.post('/api/api_keys', { name: 'a key' })
      const headers = { 'x-api-key': keyResponse.json<{ api_key: string }>().api_key }
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

  it('voids the codes sent to a removed phone', async () => {
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

  it('keeps the other of two in force, and asks for the one chosen first', async () => {
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

describe('rate limits of text messages', () => {
  const statusesOf = (answers: { status: number }[]) => answers.map(({ status }) => status)
  const refusal = async (caller: Caller, phone: string) => {
    const { status, ...answer } = await prepare(caller, phone)
    return [status, answer.json()['code']]
  }

  it('send six set-up codes to one number, requested by eight new accounts at two processes at once', async () => {
    const phone = newPhone()
    const people = await Promise.all(
      Array.from({ length: 8 }, (_, nth) =>
        verified(fromOwnAddress(nth % 2 === 0 ? service : second)),
      ),
    )
    const answers = await Promise.all(people.map((person) => prepare(person, phone)))
    expect(statusesOf(answers).toSorted()).toEqual([...Array(6).fill(200), 429, 429])
    const refused = answers.find(({ status }) => status === 429)
    expect(refused?.json()).toMatchObject({ code: 'too_many_sms' })
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await prepare(await verified(), newPhone())).status).toBe(200)
  })

  it('let one account or network set up a number three times, so that its owner can, too', async () => {
    const [client, phone] = [fromOwnAddress(service), newPhone()]
    const stranger = await verified(client)
    const answers = [await prepare(stranger, phone), await send(stranger), await send(stranger)]
    answers.push(await send(stranger), await prepare(await verified(client), phone))
    expect(statusesOf(answers)).toEqual([200, 200, 200, 429, 429])
    const owner = await confirmedPerson()
    expect((await prepare(owner, phone)).status).toBe(200)
    expect((await confirm(owner, await phones.codeTo(phone, 4))).status).toBe(200)
  })

  it('take nothing from the sign-ins of the owner of a number that strangers set up', async () => {
    const { person, phone } = await withPhone()
    const strangers = [await verified(), await verified(), await verified()]
    for (const stranger of strangers) {
      await prepare(stranger, phone)
      await send(stranger)
      await send(stranger)
    }
    expect((await prepare(await verified(), phone)).status).toBe(429)
    const signIn = async () => {
      const pending = await logIn(service, person)
      return [await send(pending), await send(pending), await send(pending), await send(pending)]
    }
    expect(statusesOf(await signIn())).toEqual([200, 200, 200, 200])
    service.clock.advance(hour + minute)
    expect(statusesOf(await signIn())).toEqual([200, 200, 200, 200])
    service.clock.advance(hour + minute)
    expect(statusesOf(await signIn())).toEqual([200, 200, 429, 429])
  })

  it('count all spellings of a number as one', async () => {
    const first = await verified()
    const answers = [await prepare(first, '+447400123456')]
    await repeatSending(first, 4)
    for (let nth = 0; nth < 2; nth++)
      answers.push(await prepare(await verified(), '+4407400123456'))
    expect(statusesOf(answers)).toEqual([200, 200, 429])
    await service.settle()
    expect(phones.codesTo('+447400123456')).toHaveLength(2)
  })

  it('last a day, even when the account is deleted or old rows are purged meanwhile', async () => {
    const phone = newPhone()
    const client = fromOwnAddress(service)
    const person = await verified()
    expect((await prepare(person, phone)).status).toBe(200)
    await repeatSending(person, 5)
    expect((await person.delete(`/api/users/${person.id}`)).status).toBe(200)
    expect(await refusal(await verified(), phone)).toEqual([429, 'too_many_sms'])
    service.clock.advance(23 * hour)
    await addJob(service.db, 'two_factor.purge', {})
    await service.settle()
    expect((await prepare(await verified(), phone)).status).toBe(429)
    service.clock.advance(hour + minute)
    expect((await prepare(await verified(), phone)).status).toBe(200)
    const nameless = await withoutEmail(client)
    expect((await prepare(nameless, newPhone())).status).toBe(200)
    expect((await nameless.delete(`/api/users/${nameless.id}`)).status).toBe(200)
    expect((await prepare(await withoutEmail(client), newPhone())).status).toBe(429)
  })

  it('send twenty set-up codes a day for one network', async () => {
    const client = fromOwnAddress(service)
    const first = await verified(client)
    const answers = [await prepare(first, newPhone())]
    await repeatSending(first, 18)
    for (let nth = 0; nth < 2; nth++)
      answers.push(await prepare(await verified(client), newPhone()))
    expect(statusesOf(answers)).toEqual([200, 200, 429])
    expect((await prepare(await verified(), newPhone())).status).toBe(200)
  })

  it('store no readable number', async () => {
    const phone = newPhone()
    await prepare(await verified(), phone)
    const rows = await service.db.selectFrom('sms_sendings').selectAll().execute()
    const texts = rows.map((row) => JSON.stringify({ ...row, hmac: String(row.phone_hmac) }))
    expect(texts.join()).not.toContain(phone.slice(-7))
    expect(new Set(rows.map(({ phone_hmac }) => phone_hmac?.length))).toEqual(new Set([32]))
  })

  describe('by configuration', () => {
    let limited: TestService
    beforeAll(async () => {
      limited = await testService({
        env: {
          ROLES: 'api,auth,web,worker',
          SMTP_URL: service.sink.url,
          SMS_URL: phones.url,
          TRUST_PROXY: '127.0.0.1',
          DEV_PAGES: 'false',
          SMS_PER_COUNTRY_PER_DAY: '4',
          SMS_PER_DAY: '7',
        },
      })
    })
    afterAll(() => limited.close())

    it('hold per country and per day, and reserve half for logins', async () => {
      const newOwnClient = () => fromOwnAddress(limited)
      const setUp = async (phone: string) =>
        (await prepare(await verified(newOwnClient()), phone)).status
      const owner = await newcomer(limited, { password: goodPassword, isVerified: true })
      const phone = newPhone()
      expect((await prepare(owner, phone)).status).toBe(200)
      expect((await confirm(owner, await phones.codeTo(phone))).status).toBe(200)
      const statuses = [await setUp(newPhone()), await setUp(newPhone())]
      for (let nth = 0; nth < 3; nth++) statuses.push(await setUp(`+491512345670${nth}`))
      expect(statuses).toEqual([200, 429, 200, 200, 429])
      // The limit of its country allows it, that of the day does not.
      expect(await setUp('+447400123456')).toBe(429)
      const { tokens: _, ...pending } = await logIn(limited, owner)
      const logins = [await send(pending), await send(pending), await send(pending)]
      expect(statusesOf(logins)).toEqual([200, 200, 429])
      expect(limited.logged.join()).toContain('Reached the daily limit of text messages')
    })
  })
})

describe('a number that gets no text messages', () => {
  it('a number that gets no text messages is rejected at the set-up', async () => {
    const asking = await verified()
    const numbers = {
      premium: '+19002345678',
      'premium abroad': '+449098790000',
      'toll-free': '+18005551234',
      'shared cost': '+41848123456',
      personal: '+447012345678',
      'fixed line': '+442071838750',
      unassigned: '+14150000000',
      satellite: '+88213123456',
      'in a country that is not allowed': '+79161234567',
      'in a country that shares the prefix of an allowed one': '+18765551234',
    }
    for (const [kind, phone] of Object.entries(numbers)) {
      const answer = await prepare(asking, phone)
      expect([kind, answer.status]).toEqual([kind, 422])
      expect(answer.json()).toMatchObject({ code: 'unusable_phone', fields: { phone: [{}] } })
    }
    expect((await send(asking)).json()).toMatchObject({ code: 'not_enabled' })
    await service.settle()
    for (const phone of Object.values(numbers)) expect(phones.codesTo(phone)).toEqual([])
  })

  it('although confirmed, is reported to its owner, who signs in with a backup code', async () => {
    const person = await confirmedPerson()
    const phone = '+4915123456789'
    const { backup_codes } = (await prepare(person, phone)).json<EnabledApp>()
    expect((await confirm(person, await phones.codeTo(phone))).status).toBe(200)
    const { tokens, ...pending } = await logIn(second, person)
    const refusal = await send(pending)
    expect([refusal.status, refusal.json()['code']]).toEqual([422, 'unserved_phone'])
    expect(refusal.json()['error']).toContain('Use a backup code')
    const codeAnswer = await enterCode(second, tokens, backup_codes[0] ?? '')
    expect((await codeAnswer.get('/api/account')).status).toBe(200)
    await service.settle()
    expect(phones.codesTo(phone)).toHaveLength(1)
  })
})

describe('an unconfirmed account', () => {
  it('sends no text message before its email address is confirmed', async () => {
    const [person, phone] = [await register(fromOwnAddress(service)), newPhone()]
    const refusal = await prepare(person, phone)
    expect([refusal.status, refusal.json()['code']]).toEqual([422, 'unconfirmed_email'])
    expect((await send(person)).status).toBe(422)
    await service.settle()
    expect(phones.codesTo(phone)).toEqual([])
    await press(service, await service.linkTo(person.email))
    expect((await prepare(person, phone)).status).toBe(200)
  })

  it('an unconfirmed account without an email address sends one text message per day and network', async () => {
    const client = fromOwnAddress(service)
    const [one, other] = [await withoutEmail(client), await withoutEmail(client)]
    expect((await prepare(one, newPhone())).status).toBe(200)
    for (const refusal of [await send(one), await prepare(other, newPhone())]) {
      expect([refusal.status, refusal.json()['code']]).toEqual([429, 'too_many_sms'])
      expect(refusal.json()['error']).toContain('one setup text message a day')
    }
    expect((await prepare(await verified(client), newPhone())).status).toBe(200)
    expect((await prepare(await withoutEmail(fromOwnAddress(service)), newPhone())).status).toBe(
      200,
    )
    service.clock.advance(24 * hour + minute)
    expect((await prepare(await withoutEmail(client), newPhone())).status).toBe(200)
  })
})
