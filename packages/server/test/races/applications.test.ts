import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Application,
  type ApplicationTokens,
  adminAtAnyTime,
  chooseId,
  newApplication,
  newBrowser,
  signIn,
  signInAtApplication,
} from '../support/applications.ts'
import { grant } from '../support/ids.ts'
import {
  bearer,
  confirmedUser,
  goodPassword,
  type MailedService,
  type Person,
  register,
  registerAs,
} from '../support/people.ts'
import { type Answer, type TestService, testService, usualPool } from '../support/service.ts'
import { sharedMailedService } from '../support/shared-service.ts'
import { stopTheClock } from '../support/stopped-clock.ts'

let service: MailedService
/** Another process on the same data. */
let second: TestService
let admin: Person
let application: Application
beforeAll(async () => {
  service = await sharedMailedService()
  second = await testService({ env: usualPool, databaseUrl: String(service.database?.url) })
  second.clock.advance(service.clock.now().getTime() - Date.now())
  admin = await adminAtAnyTime(service)
  application = await newApplication(service, admin)
})
afterAll(() => second.close())

/** Many at once, at both processes. */
const atOnce = (count: number, work: (at: TestService, nth: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: count }, (_, nth) => work(nth % 2 ? second : service, nth)))
const statuses = (answers: Answer[]) => answers.map(({ status }) => status).toSorted()
const one = (count: number, success: number, refusal: number) =>
  [success, ...Array<number>(count - 1).fill(refusal)].toSorted()
const post = (at: TestService, path: string, form: Record<string, string>, headers = {}) =>
  at.call('POST', path, {
    raw: new URLSearchParams(form).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })
const own = () => ({
  client_id: application.client_id,
  client_secret: application.client_secret,
})
const see = ({ access_token }: ApplicationTokens, at: TestService = service) =>
  at.get('/api/emoji_id', bearer(access_token))

describe('of 8 concurrent requests', () => {
  it('with one code, one gets tokens, which only a later reuse revokes (T74, T73)', async () => {
    stopTheClock()
    const person = await register(service)
    const id = await grant(admin, { user_id: person.id })
    const browser = await signIn(service, application, person)
    const code = await chooseId(browser, application, id)
    const form = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: 'https://chat.example/back',
      ...own(),
    }
    const answers = await atOnce(8, (at) => post(at, '/auth/token', form))
    expect(statuses(answers)).toEqual(one(8, 200, 400))
    const lostAnswers = answers.filter(({ status }) => status === 400)
    expect(new Set(lostAnswers.map((answer) => answer.json()['error']))).toEqual(
      new Set(['invalid_grant']),
    )
    const [wonAnswer] = answers.filter(({ status }) => status === 200)
    const wonTokens = wonAnswer?.json<ApplicationTokens>() as ApplicationTokens
    expect((await see(wonTokens)).status).toBe(200)
    service.clock.advance(2_000)
    expect((await post(service, '/auth/token', form)).status).toBe(400)
    expect((await see(wonTokens)).status).toBe(401)
    const grants = service.db.selectFrom('oauth_grants').select('id')
    expect(await grants.where('user_id', '=', person.id).execute()).toHaveLength(1)
  })

  it('with one refresh token, all get the same successor', async () => {
    stopTheClock()
    const { tokens } = await signInAtApplication(service, admin, application)
    const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token, ...own() }
    const answers = await atOnce(8, (at) => post(at, '/auth/token', form))
    expect(statuses(answers)).toEqual(Array(8).fill(200))
    const successors = answers.map((answer) => answer.json<ApplicationTokens>())
    expect(new Set(successors.map(({ refresh_token }) => refresh_token)).size).toBe(1)
    for (const each of successors.slice(0, 4)) expect((await see(each, second)).status).toBe(200)
  })

  it('with one link in the requesting browser, one gets a cookie (T18)', async () => {
    const { email } = await confirmedUser(service)
    const browser = newBrowser(service)
    await browser.open(application.at())
    await browser.send(application.at({}, '/authorize/link'), { email })
    const link = await service.linkTo(email, 2)
    const cookie = `__Host-svc_browser=${browser.name()}`
    const answers = await atOnce(8, (at) => at.get(link, { headers: { cookie } }))
    expect(statuses(answers)).toEqual(one(8, 302, 422))
    const cookies = answers.flatMap(({ headers }) => headers.getSetCookie())
    expect(cookies).toHaveLength(1)
    expect(cookies[0]).toMatch(/^__Host-svc_auth=as_/)
  })

  it('for a first password, one sets it', async () => {
    const { email } = await confirmedUser(service)
    const browser = newBrowser(service)
    await browser.open(application.at())
    await browser.send(application.at({}, '/authorize/link'), { email })
    await browser.open(await service.linkTo(email, 2))
    const page = await browser.open(application.at())
    const form_token = /name="form_token" value="([^"]+)"/.exec(page.body)?.[1] ?? ''
    const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ')
    const path = application.at({}, '/authorize/first_password')
    const answers = await atOnce(6, (at, nth) => {
      const password = `${goodPassword} ${nth}`
      return post(at, path, { form_token, password }, { cookie, 'sec-fetch-site': 'same-origin' })
    })
    const winners = answers.filter(({ headers }) => headers.get('set-cookie'))
    expect(winners).toHaveLength(1)
    expect(answers.every(({ status }) => status < 500)).toBe(true)
    const password = `${goodPassword} ${answers.indexOf(winners[0] as Answer)}`
    expect((await service.post('/api/auth/token', { email, password })).status).toBe(200)
  })

  it('for a new secret, one adds it', async () => {
    const { client_id } = await newApplication(service, admin)
    const person = await registerAs(service, 'Super')
    const answers = await atOnce(8, () =>
      person.post(`/api/admin/oauth_clients/${client_id}/secrets`),
    )
    expect(statuses(answers)).toEqual(one(8, 200, 422))
  })
})

describe('an application’s refresh', () => {
  it('concurrent with a revocation leaves no valid token', async () => {
    for (let round = 0; round < 2; round++) {
      const { tokens, person } = await signInAtApplication(service, admin, application)
      const { refresh_token } = tokens
      const [refreshAnswer, leaveAnswer] = await Promise.all([
        post(second, '/auth/token', { grant_type: 'refresh_token', refresh_token, ...own() }),
        person.delete(`/api/account/applications/${application.client_id}`),
      ])
      expect([leaveAnswer.status, [200, 400].includes(refreshAnswer.status)]).toEqual([200, true])
      const grantedTokens =
        refreshAnswer.status === 200 ? [refreshAnswer.json<ApplicationTokens>()] : []
      for (const each of [tokens, ...grantedTokens]) {
        expect((await see(each, second)).status).toBe(401)
        expect((await application.refresh(each.refresh_token)).status).toBe(400)
      }
    }
  })
})
