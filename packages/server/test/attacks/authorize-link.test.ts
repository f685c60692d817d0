import { beforeAll, describe, expect, it } from 'vitest'
import {
  type Application,
  askForLink,
  type Browser,
  callbackUrl,
  chooseId,
  newApplication,
  newBrowser,
  readRedirect,
  requestLink,
} from '../support/applications.ts'
import { grant } from '../support/ids.ts'
import {
  goodPassword,
  type MailedService,
  newcomer,
  newEmail,
  type Person,
  registerAs,
} from '../support/people.ts'
import { enableApp } from '../support/second-factor.ts'
import type { Answer } from '../support/service.ts'
import { sharedMailedService } from '../support/shared-service.ts'

let service: MailedService
let admin: Person
let application: Application
beforeAll(async () => {
  service = await sharedMailedService()
  admin = await registerAs(service, 'Super')
  application = await newApplication(service, admin)
})

const ask = (browser: Browser, email: string) => askForLink(browser, application, email)
const newLinkRequest = () => requestLink(service, application)
const tokenIn = (link: string) =>
  new URL(link, service.address).searchParams.get('refresh_token') ?? ''
const press = (browser: Browser, link: string) =>
  browser.send(application.at({}, '/magic_link'), { refresh_token: tokenIn(link) })
/** Signed in, before the selector. */
const expectIn = async (answer: Answer, browser: Browser, email: string) => {
  expect([302, 303]).toContain(answer.status)
  const location = answer.headers.get('location') ?? ''
  expect(location).toBe(`http://localhost:3000${application.at()}`)
  const page = await browser.open(application.at())
  expect(page.body).toContain('Signed in as')
  expect(page.body).toContain(email)
}
const expectGone = ({ status, headers, body }: Answer) => {
  expect(status).toBe(422)
  expect(headers.getSetCookie().join()).not.toContain('svc_auth')
  expect(headers.get('location')).toBeNull()
  expect(body).toContain('This link has expired')
}

describe('requesting a sign-in link at an application', () => {
  it('requesting a sign-in link at an application shows the same waiting page for every address, and emails only eligible users', async () => {
    const passwordlessPerson = await newcomer(service, { isVerified: true })
    const withPassword = await newcomer(service, { password: goodPassword, isVerified: true })
    const unknown = newEmail()
    for (const email of [passwordlessPerson.email, withPassword.email, unknown]) {
      const answer = await ask(newBrowser(service), email)
      expect([answer.status, readRedirect(answer).place]).toEqual([303, callbackUrl])
      expect([...readRedirect(answer)]).toEqual([
        ['status', 'pending_magic_link'],
        ['state', 'xyz'],
      ])
      expect(answer.headers.get('set-cookie')).toBeNull()
    }
    await service.settle()
    expect(service.mailsTo(passwordlessPerson.email)).toHaveLength(1)
    expect(service.mailsTo(withPassword.email)).toHaveLength(1)
    const hint = (await service.mailTo(withPassword.email))?.text ?? ''
    // It leads to the sign-in of the application, and signs in by no link.
    expect(hint).toMatch(/\/auth\/authorize\?\S*client_id=/)
    expect(hint).not.toMatch(/magic_link\?|refresh_token/)
    expect(service.mailsTo(unknown)).toHaveLength(0)
  })

  it.each(['', 'name', 'a@b.example,c@d.example', 'a@b.example\r\nBcc: e@f.example'])(
    'rejects anything but one plain address: %j',
    async (email) => {
      const answer = await ask(newBrowser(service), email)
      expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
      expect(answer.body).toContain('role="alert"')
    },
  )
})

describe('a sign-in link for an application', () => {
  it('works directly in the requesting browser, only once (T18), and leaves no trace of its token in the cookie, the address or the log (T24)', async () => {
    const { person, browser, link } = await newLinkRequest()
    const token = tokenIn(link)
    const answer = await browser.open(link)
    await expectIn(answer, browser, person.email)
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(browser.handle()).toMatch(/^as_[\w-]{43}$/)
    expect(browser.handle()).not.toContain(token)
    expect(answer.headers.get('location')).not.toContain(token)
    expect((await browser.open(application.at())).body).not.toContain(token)
    const log = service.logged.join('\n')
    for (const secret of [token, browser.handle(), browser.name()])
      expect(log).not.toContain(secret)
    const other = newBrowser(service)
    expectGone(await other.open(link))
    expectGone(await browser.open(link))
    await other.open(application.at())
    expectGone(await press(other, link))
  })

  it('a sign-in link for an application is not used up by a HEAD (T19), and waits for a button in every other browser', async () => {
    const { person, browser, link } = await newLinkRequest()
    const head = await browser.open(link, {}, 'HEAD')
    expect([head.status, browser.handle()]).toEqual([200, undefined])
    const otherBrowser = newBrowser(service)
    for (const _ of [1, 2]) {
      const page = await otherBrowser.open(link)
      expect([page.status, otherBrowser.handle()]).toEqual([200, undefined])
      expect(page.body).toContain(person.email)
      expect(page.body).toContain('Crab Chat')
    }
    await expectIn(await press(otherBrowser, link), otherBrowser, person.email)
  })

  it('a sign-in link for an application is void once a newer one is requested anywhere (T20)', async () => {
    const { person, browser, link } = await newLinkRequest()
    await service.post('/api/auth/magic_link', { email: person.email })
    await service.mailTo(person.email, 2)
    expectGone(await browser.open(link))
    await ask(browser, person.email)
    const newest = await service.linkTo(person.email, 3)
    await expectIn(await browser.open(newest), browser, person.email)
  })

  it('expires after ten minutes', async () => {
    const { browser, link } = await newLinkRequest()
    service.clock.advance(10 * 60_000)
    expectGone(await browser.open(link))
    expectGone(await press(browser, link))
  })

  it('is rejected with another application or address (T23), from another site and without the token of the page (T81), and still works', async () => {
    const { person, browser, link } = await newLinkRequest()
    const wrong: [string, string][] = [
      ['client_id', 'unknown'],
      ['client_id', ''],
      ['redirect_uri', 'https://evil.example/back'],
      ['redirect_uri', `${callbackUrl}/`],
      ['redirect_uri', ''],
    ]
    const fields = { refresh_token: tokenIn(link) }
    for (const [name, value] of wrong) {
      const changedUrl = new URL(link, service.address)
      changedUrl.searchParams.set(name, value)
      const path = `${changedUrl.pathname}${changedUrl.search}`
      for (const method of ['GET', 'HEAD', 'POST']) {
        const answer =
          method === 'POST'
            ? await browser.send(path, fields)
            : await browser.open(path, {}, method)
        expect([name, value, method, answer.status]).toEqual([name, value, method, 400])
        expect(answer.headers.get('location')).toBeNull()
      }
    }
    const path = application.at({}, '/magic_link')
    const foreign = await browser.send(path, fields, { 'sec-fetch-site': 'cross-site' })
    const tokenlessAnswer = await browser.send(path, { ...fields, form_token: '' })
    expect([foreign.status, tokenlessAnswer.status]).toEqual([403, 403])
    expect(browser.handle()).toBeUndefined()
    await expectIn(await browser.open(link), browser, person.email)
  })

  it('requires the second-factor code first (T29)', async () => {
    const { person, browser, link } = await newLinkRequest()
    const id = await grant(admin, { user_id: person.id })
    const { app } = await enableApp(service, person)
    await browser.open(link)
    const earlyAnswer = await browser.open(application.at({ svc: id }), {
      'sec-fetch-site': 'same-origin',
    })
    expect([earlyAnswer.status, earlyAnswer.headers.get('location')]).toEqual([200, null])
    expect(earlyAnswer.body).toContain('Enter your code')
    expect(earlyAnswer.body).not.toContain('Signed in as')
    const codeResponse = await browser.send(application.at({}, '/authorize/code'), {
      code: app.next(),
    })
    await expectIn(codeResponse, browser, person.email)
    expect(await chooseId(browser, application, id)).toBeTruthy()
  })
})
