import { beforeAll, describe, expect, it } from 'vitest'
import {
  type Application,
  basic,
  callbackUrl,
  chooseId,
  newApplication,
  signIn,
  signInAtApplication,
} from '../support/applications.ts'
import { grant } from '../support/ids.ts'
import { bearer, goodPassword, newcomer, type Person, registerAs } from '../support/people.ts'
import type { Answer, TestService } from '../support/service.ts'
import { sharedService } from '../support/shared-service.ts'
import { stopTheClock } from '../support/stopped-clock.ts'

let service: TestService
let admin: Person
let application: Application
let newCode: () => Promise<string>
beforeAll(async () => {
  service = await sharedService()
  admin = await registerAs(service, 'Super')
  application = await newApplication(service, admin)
  const person = await newcomer(service, { password: goodPassword })
  const id = await grant(admin, { user_id: person.id })
  const browser = await signIn(service, application, person)
  newCode = () => chooseId(browser, application, id)
})

type Fields = Record<string, string>
const exchangeForm = async (more: Fields = {}): Promise<Fields> => ({
  grant_type: 'authorization_code',
  code: await newCode(),
  redirect_uri: callbackUrl,
  ...more,
})
const inBody = () => ({
  client_id: application.client_id,
  client_secret: application.client_secret,
})
const errorOf = (answer: Answer) => [answer.status, answer.json()['error']]

describe('client authentication (T77)', () => {
  it('accepts the form or Basic authorization', async () => {
    const { client_id, client_secret, send } = application
    expect((await send('/token', await exchangeForm(inBody()))).status).toBe(200)
    const header = basic(client_id, client_secret)
    expect((await send('/token', await exchangeForm(), header)).status).toBe(200)
    expect((await send('/token', await exchangeForm({ client_id }), header)).status).toBe(200)
  })

  const wrong: Record<string, () => { form?: Fields; headers?: Fields }> = {
    'a wrong secret': () => ({ form: { ...inBody(), client_secret: 'wrong' } }),
    'an empty secret': () => ({ form: { ...inBody(), client_secret: '' } }),
    'no secret': () => ({ form: { client_id: application.client_id } }),
    'no name': () => ({ form: { client_secret: application.client_secret } }),
    nothing: () => ({}),
    'an unknown name': () => ({ form: { ...inBody(), client_id: 'unknown' } }),
    'a wrong secret as Basic': () => ({ headers: basic(application.client_id, 'wrong') }),
    'an unknown name as Basic': () => ({ headers: basic('unknown', application.client_secret) }),
    'Basic that is no Base64': () => ({ headers: { authorization: 'Basic ???' } }),
    'Basic without a colon': () => ({ headers: { authorization: `Basic ${btoa('unknown')}` } }),
    'Basic with a bad escape': () => ({ headers: basic('%zz', '%zz') }),
    'an empty Basic': () => ({ headers: { authorization: 'Basic ' } }),
    'another name in the form than as Basic': () => ({
      form: { client_id: 'unknown' },
      headers: basic(application.client_id, application.client_secret),
    }),
    'a Bearer token': () => ({ headers: bearer(admin.tokens.access_token).headers }),
  }
  it.each(Object.entries(wrong))('rejects %s', async (_, make) => {
    const { form = {}, headers = {} } = make()
    const sentFields = await exchangeForm()
    for (const path of ['/token', '/revoke']) {
      const answer = await application.send(path, { ...sentFields, token: 'x', ...form }, headers)
      expect(errorOf(answer)).toEqual([401, 'invalid_client'])
      expect(answer.headers.get('www-authenticate')).toMatch(/^Basic realm=/)
      expect(answer.headers.get('cache-control')).toBe('no-store')
    }
    // None of these requests used up the code.
    expect((await application.send('/token', { ...sentFields, ...inBody() })).status).toBe(200)
  })

  it.each(['\u0000', '🦀', "' or 1=1--", 'x'.repeat(3_000)])('rejects %j', async (text) => {
    for (const form of [{ client_id: text }, { client_secret: text }, { grant_type: text }]) {
      const answer = await application.send('/token', await exchangeForm({ ...inBody(), ...form }))
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect(answer.status).toBeLessThan(500)
      expect(answer.json()['error']).toBeTruthy()
    }
    const header = basic(encodeURIComponent(text), 'x')
    expect((await application.send('/token', {}, header)).status).toBeLessThan(500)
  })

  it('accepts one method at a time', async () => {
    const header = basic(application.client_id, application.client_secret)
    const both = await application.send('/token', await exchangeForm(inBody()), header)
    expect(errorOf(both)).toEqual([400, 'invalid_request'])
    const secret = `/token?client_secret=${application.client_secret}`
    const inQuery = await application.send(secret, await exchangeForm(inBody()))
    expect(errorOf(inQuery)).toEqual([400, 'invalid_request'])
    const { client_id } = application
    const onlyInQuery = await application.send(`${secret}&client_id=${client_id}`, {})
    expect(errorOf(onlyInQuery)).toEqual([400, 'invalid_request'])
  })

  it('client authentication (T77) is rate-limited after 20 wrong secrets, without affecting other applications', async () => {
    stopTheClock()
    const guessed = await newApplication(service, admin)
    const guess = () => guessed.exchange('x', { client_secret: 'wrong' })
    const statuses = []
    for (let nth = 0; nth < 21; nth++) statuses.push((await guess()).status)
    expect(statuses).toEqual([...Array(20).fill(401), 429])
    const right = await guessed.exchange('x')
    expect(right.status).toBe(429)
    expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await application.exchange(await newCode())).status).toBe(200)
    service.clock.advance(2_000)
    expect(errorOf(await guessed.exchange('x'))).toEqual([400, 'invalid_grant'])
  })
})

describe('an invalid token request (T78)', () => {
  it.each(['grant_type', 'code', 'redirect_uri'])(
    'a token request is refused without %s (T78)',
    async (name) => {
      const { [name]: _, ...form } = await exchangeForm(inBody())
      expect(errorOf(await application.send('/token', form))).toEqual([400, 'invalid_request'])
    },
  )

  it.each(['password', 'client_credentials', 'implicit', '__proto__', 'constructor', 'toString'])(
    'a token request is refused with the grant type %s (T78)',
    async (grant_type) => {
      const form = await exchangeForm({ ...inBody(), grant_type })
      expect(errorOf(await application.send('/token', form))).toEqual([
        400,
        'unsupported_grant_type',
      ])
    },
  )

  it('a token request that repeats a parameter is refused (T78)', async () => {
    const form = new URLSearchParams(await exchangeForm(inBody())).toString()
    const answer = await service.call('POST', '/auth/token', {
      raw: `${form}&code=other`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(errorOf(answer)).toEqual([400, 'invalid_request'])
  })

  it.each(['application/json', 'text/plain', 'multipart/form-data; boundary=x'])(
    'a token request is refused as %s (T78)',
    async (type) => {
      const answer = await service.call('POST', '/auth/token', {
        raw: JSON.stringify(await exchangeForm(inBody())),
        headers: { 'content-type': type },
      })
      expect([400, 415]).toContain(answer.status)
      expect(answer.json()['error']).toBe('invalid_request')
    },
  )

  it('an invalid token request (T78) is too large', async () => {
    const large = await application.send('/token', { ...inBody(), code: 'x'.repeat(20_000) })
    expect(errorOf(large)).toEqual([413, 'invalid_request'])
  })

  it.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('uses %s', async (method) => {
    for (const path of ['/auth/token', '/auth/revoke']) {
      const answer = await service.call(method, path)
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
      expect(answer.headers.get('cache-control')).toBe('no-store')
    }
  })
})

describe('secrets of an application', () => {
  const path = (rest = '') => `/api/admin/oauth_clients/${application.client_id}${rest}`
  const worksWith = async (client_secret: string) =>
    (await application.exchange(await newCode(), { client_secret })).status

  it('secrets of an application are both valid during a rotation; a deleted one is not', async () => {
    const createResponse = await admin.post(path('/secrets'))
    const { client_secret } = createResponse.json<{ client_secret: string }>()
    expect(await worksWith(application.client_secret)).toBe(200)
    expect(await worksWith(client_secret)).toBe(200)
    await admin.delete(path(`/secrets/${application.secret_id}`))
    expect(await worksWith(application.client_secret)).toBe(401)
    expect(await worksWith(client_secret)).toBe(200)
  })

  it('secrets of an application and its tokens are void once it is deleted', async () => {
    const doomed = await newApplication(service, admin)
    const { tokens, person } = await signInAtApplication(service, admin, doomed)
    const see = () => service.get('/api/emoji_id', bearer(tokens.access_token))
    expect((await see()).status).toBe(200)
    await admin.delete(`/api/admin/oauth_clients/${doomed.client_id}`)
    expect((await see()).status).toBe(401)
    const answers = [await doomed.refresh(tokens.refresh_token), await doomed.revoke('x')]
    for (const answer of answers) expect(errorOf(answer)).toEqual([401, 'invalid_client'])
    expect((await person.get('/api/account/applications')).json()).toEqual([])
    expect((await service.get(doomed.at())).status).toBe(400)
  })
})
