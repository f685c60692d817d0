import { beforeAll, describe, expect, it } from 'vitest'
import { dayMs, daySeconds } from '../../src/platform/time.ts'
import {
  type Application,
  type Browser,
  callbackUrl,
  newApplication,
  newBrowser,
  signIn,
} from '../support/applications.ts'
import { grant } from '../support/ids.ts'
import { goodPassword, newcomer, type Person, registerAs } from '../support/people.ts'
import type { Answer, TestService } from '../support/service.ts'
import { sharedService } from '../support/shared-service.ts'

let service: TestService
let admin: Person
let application: Application
let person: Person
let id: string
beforeAll(async () => {
  service = await sharedService()
  admin = await registerAs(service, 'Super')
  const logo = 'https://pictures.example/crab.png'
  application = await newApplication(service, admin, { name: '<b>Crab & "Chat"</b>', logo })
  person = await newcomer(service, { password: goodPassword })
  id = await grant(admin, { user_id: person.id })
})

const ourOwn = { 'sec-fetch-site': 'same-origin' }
const unknown = async () => {
  const browser = newBrowser(service)
  await browser.open(application.at())
  return browser
}
const openBrowser = () => signIn(service, application, person)
const byPassword = (browser: Browser, headers = {}, fields = {}) =>
  browser.send(
    application.at({}, '/authorize/password'),
    { email: person.email, password: goodPassword, ...fields },
    headers,
  )

const pageOpeners: Record<string, () => Promise<Answer>> = {
  'the sign-in': async () => service.get(application.at()),
  'a wrong password': async () => byPassword(await unknown(), {}, { password: 'wrong' }),
  'a right password': async () => byPassword(await unknown()),
  'the selector': async () => (await openBrowser()).open(application.at()),
  'a choice': async () => (await openBrowser()).open(application.at({ svc: id }), ourOwn),
  'going back': () => service.get(application.at({}, '/authorize/cancel')),
  'a bad request': () => service.get(application.at({ scope: 'admin' })),
  'an unknown application': () => service.get(application.at({ client_id: 'unknown' })),
  'an address that is not registered': () =>
    service.get(application.at({ redirect_uri: 'https://evil.example' })),
  'a link that is none': () =>
    service.get(application.at({ refresh_token: 'none' }, '/magic_link')),
  'a form without its token': async () => byPassword(await unknown(), {}, { form_token: '' }),
}

describe('every response to a browser', () => {
  it.each(Object.entries(pageOpeners))(
    'cannot be cached or framed: %s (T24, T80)',
    async (_, open) => {
      const { headers, body } = await open()
      const policy = headers.get('content-security-policy') ?? ''
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toContain('script')
      expect(body).not.toMatch(/<script|<b>Crab/)
    },
  )

  it.each(Object.entries(pageOpeners))(
    'cannot be read by a page of another origin: %s (T78)',
    async (_, open) => {
      const { headers } = await open()
      expect(headers.get('access-control-allow-origin')).toBeNull()
    },
  )

  it('restricts image sources, but not form targets along the redirect', async () => {
    const { headers } = await service.get(application.at())
    const policy = headers.get('content-security-policy')
    expect(policy).not.toContain('form-action')
    expect(policy).toContain("img-src 'self' data: https://pictures.example;")
  })
})

describe('pages of other origins', () => {
  const origins = ['https://evil.example', new URL(callbackUrl).origin, 'null']
  it.each(origins)('pages of other origins get no CORS permission: %s (T78)', async (origin) => {
    for (const path of [application.at(), '/auth/authorize', '/auth/token', '/auth/revoke']) {
      const asks = { origin, 'access-control-request-method': 'POST' }
      const answers = [
        await service.call('OPTIONS', path, { headers: asks }),
        await service.get(path, { headers: { origin } }),
        await service.call('POST', path, { headers: { origin } }),
      ]
      for (const { headers, status } of answers) {
        expect(status).toBeLessThan(500)
        const names = [...headers.keys()].filter((name) => name.startsWith('access-control'))
        expect(names).toEqual([])
      }
    }
  })
})

describe('the cookies (T24)', () => {
  const attributes = async (answer: Answer, name: string) => {
    const line = answer.headers.getSetCookie().find((one) => one.startsWith(`${name}=`)) ?? ''
    const [, ...rest] = line.split('; ')
    return rest.toSorted()
  }
  const always = ['HttpOnly', 'Path=/', 'SameSite=Lax', 'Secure']

  it('the cookies (T24) are limited to this site and hidden from scripts', async () => {
    expect(await attributes(await byPassword(await unknown()), '__Host-svc_auth')).toEqual(
      [...always, `Max-Age=${14 * daySeconds}`].toSorted(),
    )
    expect(await attributes(await service.get(application.at()), '__Host-svc_browser')).toEqual(
      [...always, `Max-Age=${daySeconds}`].toSorted(),
    )
  })

  it('the cookies (T24) are replaced at every sign-in, whatever the browser sends', async () => {
    const browser = await unknown()
    browser.cookies.set('__Host-svc_auth', `as_${'a'.repeat(43)}`)
    const planted = browser.handle()
    await byPassword(browser)
    const first = browser.handle()
    await byPassword(browser)
    expect(new Set([planted, first, browser.handle()]).size).toBe(3)
  })

  it.each(['', 'x', `as_${'a'.repeat(43)}`, `rt_${'a'.repeat(43)}`, 'a'.repeat(5_000), '%00'])(
    'are ignored unless the service set them: %s',
    async (value) => {
      const cookie = `__Host-svc_auth=${value}; __Host-svc_browser=${value}`
      const page = await service.get(application.at({ svc: id }), { headers: { cookie } })
      expect(page.status).toBe(200)
      expect(page.body).toContain('Email me a link')
      expect(page.headers.getSetCookie().join()).toContain('__Host-svc_browser=')
    },
  )

  it('expire after 14 days regardless of use', async () => {
    const browser = await openBrowser()
    service.clock.advance(14 * dayMs - 60_000)
    expect((await browser.open(application.at())).body).toContain('Signed in as')
    service.clock.advance(60_000)
    expect((await browser.open(application.at())).body).toContain('Email me a link')
  })
})

describe('a form (T81)', () => {
  const forms = ['password', 'link', 'code', 'sms', 'first_password', 'leave']
  const fields = () => ({ email: person.email, password: goodPassword, code: '123456' })
  const foreign: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': '', origin: 'https://evil.example' },
    { 'sec-fetch-site': '', origin: 'http://localhost:3001' },
  ]

  it.each(forms)('sent from another site has no effect: %s', async (form) => {
    const browser = await openBrowser()
    const before = browser.handle()
    for (const headers of foreign) {
      const answer = await browser.send(application.at({}, `/authorize/${form}`), fields(), headers)
      expect([headers, answer.status]).toEqual([headers, 403])
      expect(answer.headers.get('set-cookie')).toBeNull()
      expect(answer.headers.get('location')).toBeNull()
    }
    expect(browser.handle()).toBe(before)
    expect((await browser.open(application.at())).body).toContain(person.email)
  })

  it.each(forms)('a form (T81) without this browser’s token has no effect: %s', async (form) => {
    const [browser, other] = [await openBrowser(), await unknown()]
    const otherAnswer = await other.open(application.at())
    const stolen = /name="form_token" value="([^"]+)"/.exec(otherAnswer.body)?.[1] ?? ''
    for (const form_token of ['', 'x', 'a'.repeat(43), '🦀', stolen]) {
      const path = application.at({}, `/authorize/${form}`)
      const answer = await browser.send(path, { ...fields(), form_token })
      expect([form_token, answer.status]).toEqual([form_token, 403])
      expect(answer.headers.get('location')).toBeNull()
    }
    expect((await browser.open(application.at())).body).toContain(person.email)
  })

  it('a form (T81) without any cookie is rejected with the reason', async () => {
    const browser = await unknown()
    browser.cookies.clear()
    const answer = await byPassword(browser)
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([403, null])
    expect(answer.body).toContain('Allow cookies for this site')
  })

  it.each(forms)('a form (T81) with invalid values gets a page: %s', async (form) => {
    const path = application.at({}, `/authorize/${form}`)
    for (const nonsense of ['\u0000', '🦀', ' ', 'x'.repeat(2_000), "' or 1=1--", '<script>']) {
      const browser = await unknown()
      const all = { email: nonsense, password: nonsense, code: nonsense }
      const { status, body } = await browser.send(path, all)
      expect(status).toBeLessThan(500)
      expect(body).not.toContain('<script>')
    }
    const large = await (await unknown()).send(path, { email: 'x'.repeat(20_000) })
    expect(large.status).toBe(413)
    const json = { 'content-type': 'application/json' }
    expect((await (await openBrowser()).send(path, {}, json)).status).toBe(400)
  })
})
