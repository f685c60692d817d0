import { beforeAll, describe, expect, it } from 'vitest'
import {
  type Application,
  type Browser,
  chooseId,
  newApplication,
  newBrowser,
  requestLink,
} from '../support/applications.ts'
import { grant } from '../support/ids.ts'
import { goodPassword, type MailedService, registerAs } from '../support/people.ts'
import { enableApp, sendCode } from '../support/second-factor.ts'
import type { Answer } from '../support/service.ts'
import { sharedMailedService } from '../support/shared-service.ts'

let service: MailedService
let application: Application
beforeAll(async () => {
  service = await sharedMailedService()
  application = await newApplication(service, await registerAs(service, 'Super'))
})

const newLinkRequest = () => requestLink(service, application)
/** Signed in, before the selector. */
const expectIn = async (answer: Answer, browser: Browser, email: string) => {
  expect([302, 303]).toContain(answer.status)
  const location = answer.headers.get('location') ?? ''
  expect(location).toBe(`http://localhost:3000${application.at()}`)
  const page = await browser.open(application.at())
  expect(page.body).toContain('Signed in as')
  expect(page.body).toContain(email)
}

describe('the first password', () => {
  const path = () => application.at({}, '/authorize/first_password')
  const within = async () => {
    const { person, browser, link } = await newLinkRequest()
    await browser.open(link)
    return { person, browser }
  }

  it('the first password must be strong, and continues in the same request with a new cookie; the old one is void', async () => {
    const { person, browser } = await within()
    const id = await grant(await registerAs(service, 'Admin'), { user_id: person.id })
    const before = browser.handle() ?? ''
    expect((await browser.open(application.at())).body).toContain('Set a password')
    expect((await browser.open(path())).status).toBe(200)
    for (const password of ['', 'short', 'password123', 'x'.repeat(1_025)]) {
      const answer = await browser.send(path(), { password })
      expect([400, 413, 422], password).toContain(answer.status)
      expect(answer.body).toContain('role="alert"')
      expect(browser.handle()).toBe(before)
    }
    const set = await browser.send(path(), { password: goodPassword })
    await expectIn(set, browser, person.email)
    expect(browser.handle()).not.toBe(before)
    expect(await chooseId(browser, application, id)).toBeTruthy()

    const old = newBrowser(service)
    old.cookies.set('__Host-svc_auth', before)
    expect((await old.open(application.at())).body).toContain('Email me a link')
    expect((await person.get('/api/account')).status).toBe(401)
    const { email } = person
    const login = await service.post('/api/auth/token', { email, password: goodPassword })
    expect(login.status).toBe(200)
    // A user with a password changes it elsewhere, with the current password.
    const secondAnswer = await browser.send(path(), { password: 'quite another password' })
    expect(secondAnswer.status).toBe(303)
    expect((await service.post('/api/auth/token', { email, password: goodPassword })).status).toBe(
      200,
    )
  })

  it('the first password can be set only within 15 minutes after sign-in by a link', async () => {
    const { person, browser } = await within()
    service.clock.advance(15 * 60_000 + 1_000)
    const page = await browser.open(path())
    const sendAnswer = await browser.send(path(), { password: goodPassword })
    expect([page.status, sendAnswer.status]).toEqual([302, 303])
    expect(page.headers.get('location')).toContain('/auth/authorize?')
    const { email } = person
    const login = await service.post('/api/auth/token', { email, password: goodPassword })
    expect(login.status).toBe(401)
    expect((await browser.open(application.at())).body).not.toContain('Set a password')
  })

  it('the first password cannot be set while a second-factor code is pending (T29)', async () => {
    const { person, browser, link } = await newLinkRequest()
    const { app } = await enableApp(service, person)
    await browser.open(link)
    const sendAnswer = await browser.send(path(), { password: goodPassword })
    expect(sendAnswer.status).toBe(303)
    const { email } = person
    const login = () => service.post('/api/auth/token', { email, password: goodPassword })
    expect((await login()).status).toBe(401)
    await browser.send(application.at({}, '/authorize/code'), { code: app.next() })
    await expectIn(await browser.send(path(), { password: goodPassword }), browser, email)
    expect((await login()).json()['requires_2fa']).toBe('AuthenticatorApp')
  })

  it('the first password cannot be set while a code is pending again after a second-factor change', async () => {
    const { person, browser, link } = await newLinkRequest()
    const { app } = await enableApp(service, person)
    await browser.open(link)
    await browser.send(application.at({}, '/authorize/code'), { code: app.next() })
    await sendCode(service, person.tokens, app.next())
    await enableApp(service, person)
    expect((await browser.open(application.at())).body).toContain('Enter your code')
    await browser.send(path(), { password: goodPassword })
    const { email } = person
    const login = await service.post('/api/auth/token', { email, password: goodPassword })
    expect(login.status).toBe(401)
  })
})
