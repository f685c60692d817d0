import { beforeAll, describe, expect, it } from 'vitest'
import { type Authenticator, newAuthenticator } from '../support/passkeys.ts'
import {
  callsWith,
  goodPassword,
  type MailedService,
  newcomer,
  type Person,
  press,
  register,
  setNewPassword,
} from '../support/people.ts'
import { enableApp } from '../support/second-factor.ts'
import type { Answer } from '../support/service.ts'
import { sharedMailedService } from '../support/shared-service.ts'

let service: MailedService
let origin: string
beforeAll(async () => {
  service = await sharedMailedService()
  origin = new URL(service.webUrl).origin
})

const newUser = () => newcomer(service, { password: goodPassword })
type SessionAnswer = { access_token: string; requires_2fa: string | null }
const outcomeOf = (answer: Answer) => [answer.status, answer.json()['code']]
const refusal = [401, 'wrong_passkey']

/** A browser with its cookies. */
function newBrowser() {
  const jar = new Map<string, string>()
  const browser = {
    jar,
    async call(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
      const headers = { 'sec-fetch-site': 'same-origin', ...(cookie ? { cookie } : {}) }
      const answer = await service.call(method, path, {
        headers,
        ...(method === 'GET' ? {} : { body: body ?? {} }),
      })
      for (const line of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        if (value) jar.set(name, value)
        else jar.delete(name)
      }
      return answer
    },
    post: (path: string, body?: object) => browser.call('POST', path, body),
    async challenge(path = '/session/passkey/options') {
      const answer = await browser.post(path)
      if (answer.status !== 200) throw new Error(answer.body)
      return answer.json<{ challenge: string }>().challenge
    },
    async signIn(authenticator: Authenticator, change: object = {}) {
      const challenge = await browser.challenge()
      const response = authenticator.sign({ challenge, origin, ...change })
      return browser.post('/session/passkey', { response })
    },
  }
  return browser
}

type Browser = ReturnType<typeof newBrowser>

async function add(browser: Browser, authenticator: Authenticator, name = 'Phone') {
  const challenge = await browser.challenge('/session/passkeys/options')
  const response = authenticator.register({ challenge, origin })
  return browser.post('/session/passkeys', { response, name })
}

/** A person with a passkey, and the browser in which they added it. */
async function holder(person?: Person) {
  const client = person ?? (await newUser())
  const browser = newBrowser()
  const { refresh_token } = client.tokens
  expect((await browser.post('/session', { refresh_token })).status).toBe(200)
  const authenticator = newAuthenticator()
  expect((await add(browser, authenticator)).status).toBe(200)
  return { client, browser, authenticator }
}

/** A person who adds a passkey in a session that gave a code. */
async function holderWithCode(client: Person, code: string) {
  const browser = newBrowser()
  const { refresh_token } = client.tokens
  expect((await browser.post('/session', { refresh_token })).status).toBe(200)
  expect((await browser.post('/session/code', { code })).status).toBe(200)
  const authenticator = newAuthenticator()
  expect((await add(browser, authenticator)).status).toBe(200)
  return { browser, authenticator }
}

/** The passkeys, in a session that gave a code. */
async function listOf(browser: Browser, code: string) {
  expect((await browser.post('/session/code', { code })).status).toBe(200)
  return browser.call('GET', '/session/passkeys')
}

const userIn = async (answer: Answer) => {
  const { access_token } = answer.json<SessionAnswer>()
  const account = await callsWith(service, { access_token }).get('/api/account')
  return account.json<{ user: { id: string; two_factor_auth: string[] | null } }>().user
}

describe('a passkey (T122)', () => {
  it('signs in without a name, counts as a fresh factor, and shows in no field of the API', async () => {
    const client = await newUser()
    const { app } = await enableApp(service, client)
    const { browser, authenticator } = await holderWithCode(client, app.next())
    const other = newBrowser()
    const answer = await other.signIn(authenticator)
    expect(answer.status).toBe(200)
    expect(answer.json<SessionAnswer>().requires_2fa).toBe(null)
    expect(other.jar.get('__Host-svc_web')).toMatch(/^ws_/)
    const user = await userIn(answer)
    expect(user).toMatchObject({ id: client.id, two_factor_auth: ['AuthenticatorApp'] })
    // A sensitive operation needs no code now.
    const { access_token } = answer.json<SessionAnswer>()
    const creationAnswer = await callsWith(service, { access_token }).post('/api/api_keys', {
      name: 'x',
    })
    expect(creationAnswer.status).toBe(200)
    // At the API, the password still owes a code of the app.
    const { email, password } = client
    const login = await service.post('/api/auth/token', { email, password })
    expect(login.json<SessionAnswer>().requires_2fa).toBe('AuthenticatorApp')
    expect(browser.jar.size).toBeGreaterThan(0)
  })

  it('a passkey (T122) does not count as a code if it is older than the second factor, until the owner allows it', async () => {
    const { client, browser, authenticator } = await holder()
    const { app } = await enableApp(service, client)
    const [passkey] = (await listOf(browser, app.next())).json<
      { id: string; needs_code: boolean }[]
    >()
    expect(passkey?.needs_code).toBe(true)
    const other = newBrowser()
    const answer = await other.signIn(authenticator)
    expect(answer.json()).toMatchObject({
      access_token: null,
      owing: { provider: 'AuthenticatorApp' },
    })
    expect(other.jar.has('__Host-svc_web')).toBe(false)
    // Neither the sign-in nor the passkey itself allows it: a code does.
    const path = `/session/passkeys/${passkey?.id}/confirm`
    expect((await other.post(path)).status).toBe(401)
    expect((await other.post('/session/owing/code', { code: app.next() })).status).toBe(200)
    service.clock.advance(16 * 60_000)
    expect((await other.post(path)).status).toBe(424)
    const challenge = await other.challenge('/session/passkey/confirm/options')
    const response = authenticator.sign({ challenge, origin })
    expect(outcomeOf(await other.post('/session/passkey/confirm', { response }))).toEqual([
      422,
      'older_passkey',
    ])
    const stranger = await holder()
    expect((await stranger.browser.post(path)).status).toBe(404)
    expect((await other.post('/session/code', { code: app.next() })).status).toBe(200)
    expect((await other.post(path)).json()).toMatchObject({ needs_code: false })
    const login = await newBrowser().signIn(authenticator)
    expect(login.json()).toMatchObject({ access_token: expect.any(String), requires_2fa: null })
    // Without a second factor nothing is allowed any longer: the next factor is newer.
    const { access_token } = login.json<SessionAnswer>()
    const disable = { disable_all: true }
    const calls = callsWith(service, { access_token })
    expect((await calls.post('/api/account/2fa/disable', disable)).status).toBe(200)
    await enableApp(service, calls)
    expect((await newBrowser().signIn(authenticator)).json()).toMatchObject({ access_token: null })
  })

  it('a passkey (T122) is refused with a replayed challenge, also in concurrent requests', async () => {
    const { authenticator } = await holder()
    const browser = newBrowser()
    const challenge = await browser.challenge()
    const cookie = browser.jar.get('__Host-svc_passkey') ?? ''
    const response = authenticator.sign({ challenge, origin })
    const next = authenticator.sign({ challenge, origin })
    const send = (body: object) => {
      const one = newBrowser()
      one.jar.set('__Host-svc_passkey', cookie)
      return one.post('/session/passkey', body)
    }
    const answers = await Promise.all([send({ response }), send({ response }), send({ response })])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401])
    expect(outcomeOf(await send({ response: next }))).toEqual(refusal)
  })

  it('a passkey (T122) is refused with a challenge of another browser, of another kind, or an expired one', async () => {
    const { authenticator, browser: signedIn } = await holder()
    const [one, other] = [newBrowser(), newBrowser()]
    const challenge = await one.challenge()
    await other.challenge()
    const response = authenticator.sign({ challenge, origin })
    expect(outcomeOf(await other.post('/session/passkey', { response }))).toEqual(refusal)
    expect(outcomeOf(await newBrowser().post('/session/passkey', { response }))).toEqual([
      401,
      'expired_challenge',
    ])
    const ofKind = await signedIn.challenge('/session/passkey/confirm/options')
    const wrongKind = authenticator.sign({ challenge: ofKind, origin })
    expect(outcomeOf(await signedIn.post('/session/passkey', { response: wrongKind }))).toEqual([
      401,
      'expired_challenge',
    ])
    const late = await one.challenge()
    service.clock.advance(5 * 60_000)
    const lateResponse = authenticator.sign({ challenge: late, origin })
    expect(outcomeOf(await one.post('/session/passkey', { response: lateResponse }))).toEqual([
      401,
      'expired_challenge',
    ])
  })

  it('a passkey (T122) is refused from another origin, for another site, and without user verification or presence', async () => {
    const { authenticator } = await holder()
    for (const change of [
      { origin: 'https://evil.example' },
      { rpId: 'evil.example' },
      { flags: 0x01 },
      { flags: 0x04 },
    ]) {
      expect(outcomeOf(await newBrowser().signIn(authenticator, change))).toEqual(refusal)
    }
    expect((await newBrowser().signIn(authenticator)).status).toBe(200)
  })

  it('a passkey (T122) is refused when its counter goes back: a copy of it exists', async () => {
    const { authenticator } = await holder()
    expect((await newBrowser().signIn(authenticator, { counter: 7 })).status).toBe(200)
    for (const counter of [7, 6, 0]) {
      const answer = await newBrowser().signIn(authenticator, { counter })
      expect(outcomeOf(answer)).toEqual(refusal)
    }
    expect((await newBrowser().signIn(authenticator, { counter: 8 })).status).toBe(200)
  })

  it('confirms only its own account', async () => {
    const [anna, mallory] = [await holder(), await holder()]
    const confirm = async (browser: Browser, authenticator: Authenticator) => {
      const challenge = await browser.challenge('/session/passkey/confirm/options')
      const response = authenticator.sign({ challenge, origin })
      return browser.post('/session/passkey/confirm', { response })
    }
    expect(outcomeOf(await confirm(anna.browser, mallory.authenticator))).toEqual(refusal)
    expect((await confirm(anna.browser, anna.authenticator)).status).toBe(200)
    // A challenge for one account is none for the next one in the same browser.
    const challenge = await anna.browser.challenge('/session/passkey/confirm/options')
    const { refresh_token } = mallory.client.tokens
    await anna.browser.post('/session', { refresh_token })
    const response = mallory.authenticator.sign({ challenge, origin })
    const answer = await anna.browser.post('/session/passkey/confirm', { response })
    expect(answer.status).toBe(401)
  })

  it('a passkey (T122) is refused once removed, and for a deactivated account (T13)', async () => {
    const { client, browser, authenticator } = await holder()
    const [listedPasskey] = (await browser.call('GET', '/session/passkeys')).json<
      { id: string }[]
    >()
    const other = await holder()
    const path = `/session/passkeys/${listedPasskey?.id}/remove`
    expect((await other.browser.post(path)).status).toBe(404)
    expect((await browser.post(path)).status).toBe(200)
    expect(outcomeOf(await newBrowser().signIn(authenticator))).toEqual(refusal)
    expect((await browser.call('GET', '/session/passkeys')).json()).toEqual([])
    await service.settle()
    const subjects = service.mailsTo(client.email).map(({ subject }) => subject)
    expect(subjects).toEqual(
      expect.arrayContaining(['A passkey was added', 'A passkey was removed']),
    )

    const change = { deactivated_at: new Date() }
    await service.db.updateTable('users').set(change).where('id', '=', other.client.id).execute()
    expect(outcomeOf(await newBrowser().signIn(other.authenticator))).toEqual(refusal)
  })

  it('a passkey (T122) is refused if the response is malformed', async () => {
    const { authenticator } = await holder()
    for (const response of [
      undefined,
      'x',
      {},
      { id: authenticator.id },
      { id: { $ne: 1 }, response: [] },
    ]) {
      const browser = newBrowser()
      await browser.challenge()
      expect(outcomeOf(await browser.post('/session/passkey', { response }))).toEqual(refusal)
    }
  })
})

describe('adding a passkey', () => {
  it('adding a passkey needs a recent sign-in, the password or a code, and a session that owes none', async () => {
    const { client, browser } = await holder()
    service.clock.advance(16 * 60_000)
    const options = '/session/passkeys/options'
    expect(outcomeOf(await browser.post(options))).toEqual([403, 'old_login'])
    const wrong = await browser.post(options, { current_password: 'wrong' })
    expect(wrong.status).toBe(422)
    const right = await browser.post(options, { current_password: goodPassword })
    expect(right.status).toBe(200)
    expect((await newBrowser().post(options)).status).toBe(401)
    await enableApp(service, await logInAgain(client))
    const optionsAnswer = await browser.post(options, { current_password: goodPassword })
    expect(outcomeOf(optionsAnswer)).toEqual([424, 'two_factor_required'])
  })

  it('accepts a challenge of its own account once, and a credential once', async () => {
    const [anna, mallory] = [await holder(), await holder()]
    const challenge = await anna.browser.challenge('/session/passkeys/options')
    const cookie = anna.browser.jar.get('__Host-svc_passkey') ?? ''
    mallory.browser.jar.set('__Host-svc_passkey', cookie)
    const body = () => ({ response: newAuthenticator().register({ challenge, origin }), name: 'x' })
    expect(outcomeOf(await mallory.browser.post('/session/passkeys', body()))).toEqual(refusal)
    expect((await anna.browser.post('/session/passkeys', body())).status).toBe(200)
    anna.browser.jar.set('__Host-svc_passkey', cookie)
    expect(outcomeOf(await anna.browser.post('/session/passkeys', body()))).toEqual(refusal)
    // Another account cannot take over the id of a credential.
    expect(outcomeOf(await add(mallory.browser, anna.authenticator))).toEqual(refusal)
    for (const change of [{ origin: 'https://evil.example' }, { rpId: 'evil.example' }]) {
      const challenge = await anna.browser.challenge('/session/passkeys/options')
      const response = newAuthenticator().register({ challenge: challenge, origin, ...change })
      const answer = await anna.browser.post('/session/passkeys', { response, name: 'x' })
      expect(outcomeOf(answer)).toEqual(refusal)
    }
  })

  it('adding a passkey ends at twenty', async () => {
    const { client, browser } = await holder()
    const rows = Array.from({ length: 19 }, (_, nth) => ({
      user_id: client.id,
      credential_id: `${client.id}-${nth}`,
      public_key: Buffer.from('x'),
      counter: 0,
      transports: [],
      name: `${nth}`,
      created_at: new Date(),
      last_used_at: null,
    }))
    await service.db.insertInto('passkeys').values(rows).execute()
    const answer = await browser.post('/session/passkeys/options')
    expect(outcomeOf(answer)).toEqual([422, 'too_many_passkeys'])
  })

  it('rejects names that are empty, long or hidden', async () => {
    const { browser } = await holder()
    for (const name of ['', '   ', 'x'.repeat(61), 'a\u202Eb', 'a\nb']) {
      const answer = await add(browser, newAuthenticator(), name)
      expect(outcomeOf(answer)).toEqual([400, 'invalid_name'])
    }
  })
})

describe('the passkeys of an intruder', () => {
  it('the passkeys of an intruder are removed when the owner of the mailbox resets the password', async () => {
    const { client, authenticator } = await holder()
    await service.post('/api/auth/password_reset', { email: client.email })
    await setNewPassword(service, client.email)
    expect(outcomeOf(await newBrowser().signIn(authenticator))).toEqual(refusal)
  })

  it('the passkeys of an intruder are removed when the owner of the mailbox claims an account that a stranger registered (T25)', async () => {
    const mallory = await register(service, { password: null })
    const link = await service.linkTo(mallory.email)
    const { authenticator } = await holder(mallory)
    expect((await press(service, link)).status).toBe(200)
    expect(outcomeOf(await newBrowser().signIn(authenticator))).toEqual(refusal)
  })

  it('the passkeys of an intruder are removed when the owner disowns the account, or reports "this was not me"', async () => {
    const one = await holder(await register(service))
    const confirmation = await service.linkTo(one.client.email)
    await press(service, confirmation, '/disown')
    expect(outcomeOf(await newBrowser().signIn(one.authenticator))).toEqual(refusal)
    const other = await holder()
    await service.settle()
    const notice = service
      .mailsTo(other.client.email)
      .find(({ subject }) => subject === 'A passkey was added')?.text
    const link = /http:\/\/localhost:\d+(\/auth\/not_me\S+)/.exec(notice ?? '')?.[1] ?? ''
    expect((await press(service, link)).status).toBe(200)
    expect(outcomeOf(await newBrowser().signIn(other.authenticator))).toEqual(refusal)
  })
})

it('a challenge is stored only once its signature is accepted', async () => {
  const count = async () => {
    const rows = await service.db.selectFrom('used_passkey_challenges').selectAll().execute()
    return rows.length
  }
  const { authenticator } = await holder()
  const before = await count()
  for (let nth = 0; nth < 5; nth++) await newBrowser().challenge()
  expect(await count()).toBe(before)
  await newBrowser().signIn(authenticator)
  expect(await count()).toBe(before + 1)
})

it('the passkey routes respond to our own pages only (T81)', async () => {
  const headers = { 'sec-fetch-site': 'cross-site' }
  for (const path of ['/session/passkey/options', '/session/passkey', '/session/passkeys']) {
    expect((await service.post(path, {}, { headers })).status).toBe(403)
  }
})

async function logInAgain({ email, password }: Person) {
  const answer = await service.post('/api/auth/token', { email, password })
  return callsWith(service, answer.json<SessionAnswer>())
}
