import { beforeAll, describe, expect, it } from 'vitest'
import {
  type Application,
  type Browser,
  chooseId,
  newApplication,
  signIn,
} from '../support/applications.ts'
import { grant } from '../support/ids.ts'
import {
  goodPassword,
  logIn,
  type MailedService,
  newcomer,
  type Person,
  registerAs,
} from '../support/people.ts'
import { enableApp } from '../support/second-factor.ts'
import type { Answer } from '../support/service.ts'
import { type Phones, sharedPhones } from '../support/shared-phones.ts'
import { stopTheClock } from '../support/stopped-clock.ts'

let service: MailedService
let phones: Phones
let admin: Person
let application: Application
beforeAll(async () => {
  ;({ service, phones } = await sharedPhones())
  admin = await registerAs(service, 'Super')
  application = await newApplication(service, admin)
})

const ourOwn = { 'sec-fetch-site': 'same-origin' }
const give = (browser: Browser, code: string) =>
  browser.send(application.at({}, '/authorize/code'), { code })
const expectOwing = async (browser: Browser, id: string) => {
  const answer = await browser.open(application.at({ svc: id }), ourOwn)
  expect([answer.status, answer.headers.get('location')]).toEqual([200, null])
  expect(answer.body).toContain('Enter your code')
}
const expectRefused = (answer: Answer, status = 422) => {
  expect(answer.status).toBe(status)
  expect(answer.body).toContain('role="alert"')
  expect(answer.body).toContain('Enter your code')
  expect(answer.headers.get('location')).toBeNull()
}
async function withApp() {
  const person = await newcomer(service, { password: goodPassword })
  const id = await grant(admin, { user_id: person.id })
  const enabledApp = await enableApp(service, person)
  return { ...enabledApp, person, id, browser: await signIn(service, application, person) }
}

describe('a user with an authenticator app', () => {
  it('gets no authorization code before the second-factor code, and stays on the page with a wrong, used, missing or foreign one', async () => {
    const { browser, id, app, person } = await withApp()
    await expectOwing(browser, id)
    expectRefused(await give(browser, app.wrong()))
    const code = app.next()
    const path = application.at({}, '/authorize/code')
    const foreign = await browser.send(path, { code }, { 'sec-fetch-site': 'cross-site' })
    expect(foreign.status).toBe(403)
    expect((await give(browser, code)).status).toBe(303)
    expect(await chooseId(browser, application, id)).toBeTruthy()
    const second = await signIn(service, application, person)
    expectRefused(await give(second, code))
    for (const none of ['', '12345', '1234567', 'abcdef', '🦀', '<script>', 'x'.repeat(200)]) {
      const answer = await give(second, none)
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect(answer.status).toBeLessThan(430)
      expect(answer.body).not.toContain('<script>')
    }
    await expectOwing(second, id)
  })

  it('a user with an authenticator app can use a backup code once', async () => {
    const { browser, id, backup_codes, person } = await withApp()
    const [code = ''] = backup_codes
    expect((await give(browser, code)).status).toBe(303)
    expect(await chooseId(browser, application, id)).toBeTruthy()
    const second = await signIn(service, application, person)
    expectRefused(await give(second, code))
    await expectOwing(second, id)
  })

  it('a user with an authenticator app has five tries across all browsers (T45)', async () => {
    stopTheClock()
    const { app, person, id, browser } = await withApp()
    const wrong = app.wrong()
    for (let nth = 0; nth < 5; nth++) {
      const other = nth % 2 === 0 ? browser : await signIn(service, application, person)
      expectRefused(await give(other, wrong))
    }
    const late = await give(browser, app.code(1))
    expectRefused(late, 429)
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0)
    await expectOwing(browser, id)
    service.clock.advance(60_000)
    expect((await give(browser, app.next())).status).toBe(303)
  })
})

describe('a user with codes by text message', () => {
  const withPhone = async (phone: string) => {
    const person = await newcomer(service, { password: goodPassword, isVerified: true })
    const id = await grant(admin, { user_id: person.id })
    await person.post('/api/account/2fa/enable', { provider: 'SMS', phone })
    await person.post('/api/account/2fa/confirm', { code: await phones.codeTo(phone) })
    return { person, id, browser: await signIn(service, application, person) }
  }
  const ask = (browser: Browser) => browser.send(application.at({}, '/authorize/sms'), {})
  const wrongFor = (code: string) => (code === '111111' ? '222222' : '111111')

  it('requests a code on the page, sees the masked number, and enters it', async () => {
    const phone = '+14155550171'
    const { id, browser } = await withPhone(phone)
    await expectOwing(browser, id)
    const sendAnswer = await ask(browser)
    expect(sendAnswer.status).toBe(200)
    expect(sendAnswer.body).toContain('the number ending in')
    expect(sendAnswer.body).not.toContain(phone)
    const code = await phones.codeTo(phone, 2)
    expectRefused(await give(browser, wrongFor(code)))
    expect((await give(browser, code)).status).toBe(303)
    expect(await chooseId(browser, application, id)).toBeTruthy()
  })

  it('enters it in the requesting browser, before it expires, and once (T51), with five messages per hour', async () => {
    const phone = '+14155550172'
    const { id, browser, person } = await withPhone(phone)
    const other = await signIn(service, application, person)
    await ask(browser)
    const first = await phones.codeTo(phone, 2)
    expectRefused(await give(other, first))
    await ask(browser)
    const second = await phones.codeTo(phone, 3)
    if (first !== second) expectRefused(await give(browser, first))
    service.clock.advance(5 * 60_000)
    expectRefused(await give(browser, second))
    await ask(browser)
    const third = await phones.codeTo(phone, 4)
    expect((await give(browser, third)).status).toBe(303)
    expect(await chooseId(browser, application, id)).toBeTruthy()
    expectRefused(await give(other, third))
    // The text of the set-up counts apart.
    const asked = [await ask(other), await ask(other), await ask(other)]
    expect(asked.map(({ status }) => status)).toEqual([200, 200, 429])
  })
})

describe('a user who adds a second factor later', () => {
  it('a user who adds a second factor later must enter a code at the site with the existing session', async () => {
    const person = await newcomer(service, { password: goodPassword })
    const id = await grant(admin, { user_id: person.id })
    const browser = await signIn(service, application, person)
    expect(await chooseId(browser, application, id)).toBeTruthy()
    const { app } = await enableApp(service, person)
    await expectOwing(browser, id)
    expect((await give(browser, app.next())).status).toBe(303)
    expect(await chooseId(browser, application, id)).toBeTruthy()
  })

  it('a user who adds a second factor later must sign in again where a code was pending when the factor was removed', async () => {
    const { browser, person, backup_codes } = await withApp()
    const body = { email: person.email, backup_code: backup_codes[0] }
    expect((await service.post('/api/account/2fa/backup_disable', body)).status).toBe(200)
    expect((await browser.open(application.at())).body).toContain('Email me a link')
    const secondBrowser = await signIn(service, application, person)
    expect((await secondBrowser.open(application.at())).body).toContain('Signed in as')
  })

  it('a user who adds a second factor later is not asked at the site for a factor that is not set up', async () => {
    const person = await newcomer(service, { password: goodPassword })
    const browser = await signIn(service, application, person)
    for (const path of ['/authorize/code', '/authorize/sms']) {
      const answer = await browser.send(application.at({}, path), { code: '123456' })
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect(answer.status).toBeLessThan(500)
    }
    const { tokens } = await logIn(service, { email: person.email, password: goodPassword })
    expect(tokens.requires_2fa).toBeNull()
  })
})
