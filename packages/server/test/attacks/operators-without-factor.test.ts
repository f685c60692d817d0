import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { collectRoutes } from '../support/access.ts'
import {
  type ApplicationTokens,
  chooseId,
  newApplication,
  signIn,
} from '../support/applications.ts'
import { grant } from '../support/ids.ts'
import { masterKey } from '../support/own-keys.ts'
import {
  bearer,
  goodPassword,
  logIn,
  newcomer,
  type Person,
  registerAs,
} from '../support/people.ts'
import { enableApp } from '../support/second-factor.ts'
import { type TestService, testService } from '../support/service.ts'

const { routes, override } = collectRoutes()
let service: TestService
let admin: Person
beforeAll(async () => {
  const env = {
    BASE_URL: 'https://api.example.com',
    WEB_URL: 'https://example.com',
    AUTH_URL: 'https://auth.example.com',
    MASTER_KEY: masterKey.toString('base64'),
    SMTP_URL: 'smtp://localhost:1',
    SEED_DEMO: 'false',
  }
  service = await testService({ env, override })
  admin = await registerAs(service, 'Admin')
})
afterAll(() => service.close())

const missing = [403, 'missing_second_factor']
/** The requests for setting one up and for signing out. */
const open = [
  'POST /account/2fa',
  'POST /account/2fa/enable',
  'POST /account/2fa/confirm',
  'POST /account/2fa/sms_code',
  'GET /account',
  'GET /account/load',
  'POST /logout',
  'GET /account/sessions',
  'DELETE /account/sessions',
  'DELETE /account/sessions/:id',
]
const asksForNobody = ['public', 'anybody']
const call = async (headers: Record<string, string>, method: string, url: string) => {
  const path = `/api${url.replaceAll(/:\w+/g, '00000000-0000-4000-8000-000000000000')}`
  const answer = await service.call(method, path, {
    headers,
    body: method === 'GET' ? undefined : {},
  })
  return [answer.status, JSON.parse(answer.body || '{}')['code']]
}
const guarded = () =>
  routes.filter(
    ({ access, method }) =>
      method !== 'HEAD' && method !== 'OPTIONS' && !asksForNobody.includes(String(access)),
  )

describe('an operator without a second factor, outside the demonstration', () => {
  it.each(['Admin', 'Super'] as const)('as %s can only set one up', async (role) => {
    const person = await registerAs(service, role)
    const { headers } = bearer(person.tokens.access_token)
    const passedRoutes: string[] = []
    // A Super may do everything. One check refuses both: the other role tries some routes.
    const tried = guarded().filter((_, nth) => role === 'Super' || nth % 10 === 0)
    for (const { route, method, url } of tried) {
      if (open.includes(route)) continue
      const answer = await call(headers, method, url)
      if (answer.join() !== missing.join()) passedRoutes.push(`${route}: ${answer}`)
    }
    expect(passedRoutes).toEqual([])
    expect(guarded().length).toBeGreaterThan(100)
    expect((await person.get('/api/account')).status).toBe(200)
    await enableApp(service, person)
    expect((await person.get('/api/users')).status).toBe(200)
  })

  it('has no key with more rights, and loses existing ones with the factor', async () => {
    await enableApp(service, admin)
    const keyResponse = await admin.post('/api/api_keys', { name: 'for programs' })
    const headers = { 'x-api-key': keyResponse.json<{ api_key: string }>().api_key }
    expect((await service.get('/api/users', { headers })).status).toBe(200)
    expect((await admin.post('/api/account/2fa/disable', { disable_all: true })).status).toBe(200)
    for (const path of ['/users', '/account', '/account/load', '/emoji_id']) {
      expect([path, ...(await call(headers, 'GET', path))]).toEqual([path, ...missing])
    }
  })

  it('an operator without a second factor, outside the demonstration cannot load other users or organizations', async () => {
    const [operator, person] = [await registerAs(service, 'Super'), await newcomer(service)]
    const load = async (query: string) => {
      const answer = await operator.get(`/api/account/load${query}`)
      return [answer.status, answer.json()['code']]
    }
    expect(await load(`?user_id=${person.id}`)).toEqual(missing)
    expect((await load(`?organization_id=${person.id}`))[0]).toBeGreaterThanOrEqual(400)
    expect((await load(`?user_id=${operator.id}`))[0]).toBe(200)
    await enableApp(service, operator)
    expect((await load(`?user_id=${person.id}`))[0]).toBe(200)
  })

  it('cannot sign in at an application, by a choice, an earlier consent or existing tokens', async () => {
    const boss = await registerAs(service, 'Super')
    await enableApp(service, boss)
    const application = await newApplication(service, boss)
    const person = await newcomer(service, { password: goodPassword })
    const id = await grant(boss, { user_id: person.id })
    const browser = await signIn(service, application, person)
    const code = await chooseId(browser, application, id)
    const grantedTokens = (await application.exchange(code)).json<ApplicationTokens>()
    const unused = await chooseId(browser, application, id)
    const form_token = browser.formToken()
    const read = () => service.get('/api/emoji_id', bearer(grantedTokens.access_token))
    expect((await read()).status).toBe(200)
    const role = { role: 'Admin' as const }
    await service.db.updateTable('users').set(role).where('id', '=', person.id).execute()

    const own = { 'sec-fetch-site': 'same-origin' }
    const anew = await signIn(service, application, person)
    for (const one of [browser, anew]) {
      for (const query of [{}, { svc: id }, { svc: id, form_token }]) {
        const page = await one.open(application.at(query), own)
        expect([page.status, page.headers.get('location')]).toEqual([403, null])
        expect(page.body).toContain('Set up a second factor')
      }
    }
    expect((await application.exchange(unused)).status).toBe(400)
    expect((await application.refresh(grantedTokens.refresh_token)).status).toBe(400)
    expect((await read()).status).toBe(401)

    await enableApp(service, person)
    expect((await anew.open(application.at())).body).toContain('Enter your code')
    expect((await read()).status).toBe(200)
  })

  it('reads public data, and other users need no second factor', async () => {
    const operator = await registerAs(service, 'Admin')
    expect((await operator.get('/api/emoji_id/random')).status).toBe(200)
    const person = await newcomer(service, { password: goodPassword })
    const secondPerson = await logIn(service, person)
    expect((await secondPerson.get('/api/emoji_id')).status).toBe(200)
  })
})
