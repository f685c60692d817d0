import { beforeAll, describe, expect, it } from 'vitest'
import {
  type Application,
  type ApplicationTokens,
  callbackUrl,
  chooseId,
  newApplication,
  newBrowser,
  newOrganization,
  readRedirect,
  requestLink,
  signIn,
  signInAtApplication,
} from '../support/applications.ts'
import { at, grant } from '../support/ids.ts'
import {
  bearer,
  claimsOf,
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
import { sharedMailedService } from '../support/shared-service.ts'
import { stopTheClock } from '../support/stopped-clock.ts'

let service: MailedService
let admin: Person
let application: Application
beforeAll(async () => {
  service = await sharedMailedService()
  admin = await registerAs(service, 'Super')
  application = await newApplication(service, admin)
})

const newUser = () => newcomer(service, { password: goodPassword })
const enter = () => signInAtApplication(service, admin, application)
const see = (access_token: string, rest = '') =>
  service.get(`/api/emoji_id${rest}`, bearer(access_token))

describe('a consent', () => {
  it('a consent does not return with a re-acquired id', async () => {
    const { person, id, tokens } = await enter()
    await admin.delete(`/api/admin/emoji_ids/${encodeURIComponent(id)}`)
    const other = await newcomer(service, { isVerified: true })
    await grant(admin, { user_id: other.id }, id)
    await admin.delete(`/api/admin/emoji_ids/${encodeURIComponent(id)}`)
    await grant(admin, { user_id: person.id }, id)
    expect((await see(tokens.access_token)).status).toBe(401)
    expect((await application.refresh(tokens.refresh_token)).status).toBe(400)
    expect((await person.get('/api/account/applications')).json()).toEqual([])
  })

  it('is listed once after several logins, hides account numbers, and ends when the user leaves the application, pending codes included', async () => {
    const { person, id, browser, tokens } = await enter()
    await application.exchange(await chooseId(browser, application, id))
    const applicationList = (await person.get('/api/account/applications')).json<object[]>()
    expect(applicationList).toHaveLength(1)
    expect((await see(tokens.access_token, `?user_id=${person.id}`)).status).toBe(403)
    const code = await chooseId(browser, application, id)
    const leaveAnswer = await person.delete(`/api/account/applications/${application.client_id}`)
    expect([leaveAnswer.status, (await application.exchange(code)).status]).toEqual([200, 400])
  })

  it('a consent does not cover a redirect address registered later', async () => {
    const takenApplication = await newApplication(service, admin)
    const { person, id, browser } = await signInAtApplication(service, admin, takenApplication)
    const redirect_uri = 'https://thief.example/back'
    const twoUris = { redirect_uris: [callbackUrl, redirect_uri] }
    expect(
      (await admin.patch(`/api/admin/oauth_clients/${takenApplication.client_id}`, twoUris)).status,
    ).toBe(200)
    const secondAnswer = await browser.open(takenApplication.at({ svc: id }))
    expect(readRedirect(secondAnswer).get('code')).toBeTruthy()
    const code = readRedirect(secondAnswer).get('code') ?? ''
    expect((await takenApplication.exchange(code)).status).toBe(200)

    const otherAnswer = await browser.open(takenApplication.at({ redirect_uri, svc: id }))
    expect([otherAnswer.status, otherAnswer.headers.get('location')]).toEqual([200, null])
    const applicationList = (await person.get('/api/account/applications')).body
    expect(applicationList).not.toContain('redirect_uri')
  })

  it('excludes actions of an attacker who had registered the mailbox (T26)', async () => {
    const email = newEmail()
    const stranger = await register(service, { email })
    const id = await grant(admin, { user_id: stranger.id })
    const first = await signIn(service, application, stranger)
    const before = await application.exchange(await chooseId(first, application, id))
    await press(service, await service.linkTo(email), '/disown')
    await service.post('/api/auth/password_reset', { email })
    const password = `${goodPassword}, anew`
    await press(service, await service.linkTo(email, 2), undefined, { password })

    const owner = await signIn(service, application, { email, password })
    const after = await application.exchange(await chooseId(owner, application, id))
    const [one, other] = [before, after].map(
      (answer) => claimsOf(answer.json<ApplicationTokens>().access_token)['sub'],
    )
    expect(one).not.toBe(other)
    expect((await see(before.json<ApplicationTokens>().access_token)).status).toBe(401)
  })
})

describe('a reused code', () => {
  it('revokes its grant even after it expired', async () => {
    const { code, tokens } = await enter()
    service.clock.advance(70_000)
    expect((await application.exchange(code)).status).toBe(400)
    expect((await see(tokens.access_token)).status).toBe(401)
  })
})

describe('an entry into the authorization site', () => {
  it.each(['/auth/authorize?client_id=x', '/api/redirect?link=x', '/dev', '/AUTH/'])(
    'is never the target of a mailed link: %s',
    async (redirect) => {
      const answer = await service.post('/api/auth/magic_link', { email: newEmail(), redirect })
      expect(answer.status).toBe(400)
    },
  )

  it('an entry into the authorization site is never an owner’s redirect target', async () => {
    const { person, id } = await enter()
    const url = `http://localhost:3000${application.at({ svc: id })}`
    const insert = [{ tag: '0x0004', data: url }]
    expect((await person.patch(at(id), { insert })).status).toBe(200)
    const data = { links: [{ name: 'Prize', url }, 'https://shop.example/'] }
    expect((await person.post(at(id, '/json/SvcLinkData'), { data })).status).toBe(200)

    const page = await service.get(`/${encodeURIComponent(id)}`)
    expect([page.status, page.headers.get('location')]).toEqual([200, null])
    expect(page.body).toContain('https://shop.example/')
    expect(page.body).not.toContain('/auth/authorize')
    const query = new URLSearchParams({ emoji_id: id, link: url })
    expect((await service.get(`/api/redirect?${query}`)).headers.get('location')).toBeNull()
  })

  it('does not use up a link when a browser prefetches it, and then accepts it without a default parameter', async () => {
    const { browser, link } = await requestLink(service, application)
    await browser.open(link, { 'sec-purpose': 'prefetch' })
    expect(browser.handle()).toBeUndefined()
    const less = new URL(link, service.address)
    less.searchParams.delete('response_type')
    const answer = await browser.open(`${less.pathname}${less.search}`)
    expect(answer.headers.get('location')).toContain('/auth/authorize?')
    expect(browser.handle()).toBeDefined()
  })

  it('redirects from the address of a form to its page', async () => {
    for (const form of ['link', 'password', 'code', 'sms', 'leave']) {
      const answer = await newBrowser(service).open(application.at({}, `/authorize/${form}`))
      expect([form, readRedirect(answer).place]).toEqual([
        form,
        'http://localhost:3000/auth/authorize',
      ])
    }
  })

  it('treats empty parameters as absent', async () => {
    const empty = { code_challenge: '', code_challenge_method: '', state: '' }
    expect((await service.get(application.at(empty))).status).toBe(200)
    const { id, browser, tokens } = await enter()
    const code = await chooseId(browser, application, id)
    expect((await application.exchange(code, { code_verifier: '' })).status).toBe(200)
    expect((await application.refresh(tokens.refresh_token, { scope: '' })).status).toBe(200)
  })

  it('forgets the previous user of a browser', async () => {
    const [one, other] = [await newUser(), await newUser()]
    const browser = await signIn(service, application, one)
    const old = browser.handle()
    await browser.open(application.at())
    const fields = { email: other.email, password: other.password }
    await browser.send(application.at({}, '/authorize/password'), fields)
    const secondBrowser = newBrowser(service)
    secondBrowser.cookies.set('__Host-svc_auth', old ?? '')
    expect((await secondBrowser.open(application.at())).body).not.toContain('Signed in as')
  })
})

it('requests for many unknown applications get 429 (T77)', async () => {
  stopTheClock()
  const tries = Array.from({ length: 25 }, (_, nth) => `unknown-${nth}`)
  const statuses: number[] = []
  for (const client_id of tries) {
    const form = { grant_type: 'refresh_token', refresh_token: 'x', client_secret: 'y' }
    statuses.push((await application.send('/token', { ...form, client_id })).status)
  }
  expect([statuses[0], statuses.at(-1)]).toEqual([401, 429])
})

describe('an application of an organization', () => {
  it('an application of an organization cannot be taken over by an owner’s key, and its owners are notified of every change', async () => {
    const organization_id = await newOrganization(admin)
    const takenApplication = await newApplication(service, admin, { organization_id })
    const path = `/api/admin/oauth_clients/${takenApplication.client_id}`
    const owner = await newcomer(service, { password: goodPassword, isVerified: true })
    const member = `/api/admin/organizations/${organization_id}/members/${owner.id}`
    expect((await admin.put(member, { role: 'OrgOwner' })).status).toBe(200)
    const body = { name: 'k', scopes: ['organization:admin'] }
    const { api_key } = (await owner.post('/api/api_keys', body)).json<{ api_key: string }>()
    const key = { headers: { 'x-api-key': api_key } }
    const redirect_uris = [callbackUrl, 'https://thief.example/back']
    const byKey = [
      await service.patch(path, { redirect_uris }, key),
      await service.post(`${path}/secrets`, {}, key),
      await service.delete(`${path}/secrets/${takenApplication.secret_id}`, key),
    ]
    expect(byKey.map(({ status }) => status)).toEqual([403, 403, 403])
    expect((await service.get(path, key)).status).toBe(200)

    const secondPerson = await logIn(service, { email: owner.email, password: goodPassword })
    expect((await secondPerson.patch(path, { redirect_uris })).status).toBe(200)
    expect((await secondPerson.post(`${path}/secrets`)).status).toBe(200)
    expect((await secondPerson.patch(path, { name: 'Crab Talk' })).status).toBe(200)
    await service.settle()
    const notices = service
      .mailsTo(owner.email)
      .filter(({ subject }) => subject === 'An application of your organization changed')
    expect(notices.map(({ text }) => /thief\.example|second secret/.exec(text ?? '')?.[0])).toEqual(
      ['thief.example', 'second secret'],
    )
  })
})
