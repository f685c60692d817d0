import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Application,
  askForLink,
  startApplication,
  submitPassword,
} from '../support/application.ts'
import { openBrowser, type TestPage } from '../support/browser.ts'
import { grant } from '../support/ids.ts'
import {
  confirmedUser,
  goodPassword,
  type Person,
  register,
  registerAs,
} from '../support/people.ts'
import { enableApp } from '../support/second-factor.ts'
import { type Site, sharedSite } from '../support/shared-site.ts'
import { assertGoodPage, tabTo } from '../support/web-pages.ts'

const { newPage } = openBrowser()

let service: Site
let admin: Person
let application: Application
beforeAll(async () => {
  service = await sharedSite()
  admin = await registerAs(service, 'Admin')
  application = await startApplication(service, admin)
})
afterAll(() => application?.close())

/** An owner of two ids. */
const owner = async (body = {}) => {
  const person = await register(service, body)
  const user_id = person.id
  return { ...person, ids: [await grant(admin, { user_id }), await grant(admin, { user_id })] }
}
const begin = async (page: Page) => {
  await page.goto(application.address)
  await page.getByRole('link', { name: 'Log in with your emoji id' }).click()
  await expect.poll(() => page.title()).toBe('Log in with your emoji id')
}
const choose = async (page: Page, id = '') => {
  await expect.poll(() => page.title()).toBe('Choose an emoji id')
  // People see a picture and copy the id.
  await page.getByRole('listitem').filter({ hasText: id }).getByRole('link').click()
}
const assertLoggedIn = async (page: Page, id = '') => {
  await expect.poll(() => page.title()).toBe('Logged in')
  expect(page.url()).toMatch(new RegExp(`^${application.redirect_uri}\\?code=`))
  expect(await page.getByRole('status').textContent()).toBe(id)
}
/** Requests a link in the application and returns it. */
const linkFor = async (page: Page, email: string) => {
  await service.mailTo(email)
  await begin(page)
  await askForLink(page, email)
  await expect.poll(() => page.title()).toBe('Waiting')
  expect(page.url()).toContain(`${application.redirect_uri}?status=pending_magic_link&state=`)
  return service.webUrl + (await service.linkTo(email, 2))
}

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click()
/** Asserts the title and the accessibility of the page. */
const assertGood = async (page: TestPage, title: string, text?: RegExp) => {
  await assertGoodPage(page, { title, problem: text })
  page.problems.length = 0
}

describe('signing in to an application with an emoji id', () => {
  it('works by an emailed link in the same browser, and the link works once', async () => {
    const { email, ids } = await owner({ password: null })
    const page = await newPage()
    const link = await linkFor(page, email)
    await page.goto(link)
    await expect.poll(() => page.title()).toBe('Choose an emoji id')
    const token = new URL(link).searchParams.get('refresh_token') ?? ''
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(page.url()).not.toContain(token)
    const cookies = await page.context().cookies(service.webUrl)
    expect(JSON.stringify(cookies)).not.toContain(token)
    expect(page.problems).toEqual([])

    await press(page, 'Use another account')
    await page.goto(link)
    await expect.poll(() => page.title()).toBe('This link doesn’t work')
    await page.getByRole('link', { name: 'Sign in again' }).click()
    await askForLink(page, email)
    await expect.poll(() => page.title()).toBe('Waiting')
    await page.goto(service.webUrl + (await service.linkTo(email, 3)))
    await expect.poll(() => page.title()).toBe('Choose an emoji id')
    expect(await page.getByText(email).count()).toBe(1)
    await choose(page, ids[1])
    await assertLoggedIn(page, ids[1])
  })

  it('works by password and keyboard, without a password the next time, and can be denied', async () => {
    const { email, ids } = await owner()
    const page = await newPage()
    await begin(page)
    await assertGood(page, 'Log in with your emoji id')
    await page.getByRole('link', { name: 'Return to Crab Shop' }).click()
    await expect.poll(() => page.title()).toBe('Not logged in')
    expect(await page.getByText('access_denied').count()).toBe(1)

    await tabTo(page, 'Again')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.title()).toBe('Log in with your emoji id')
    await submitPassword(page, email, 'not the password')
    await page.getByRole('alert').waitFor()
    page.problems.length = 0
    await page.goto(application.begin())
    await tabTo(page, /^E-?mail address/i)
    await tabTo(page, /^E-?mail address/i)
    await page.keyboard.type(email)
    await tabTo(page, /^Password/)
    await page.keyboard.type(goodPassword)
    await page.keyboard.press('Enter')
    await assertGood(page, 'Choose an emoji id')
    await tabTo(page, /^\s*Continue as/)
    const focusedText = await page.evaluate(() => document.activeElement?.textContent ?? '')
    await page.keyboard.press('Enter')
    await assertLoggedIn(
      page,
      ids.find((id) => focusedText.includes(id)),
    )

    await page.getByRole('link', { name: 'Again' }).click()
    await choose(page, ids[1])
    await assertLoggedIn(page, ids[1])
    expect(page.problems).toEqual([])
  })
})

describe('the sign-in pages of an application', () => {
  it('accept codes of an app and of a phone, and lead a person without ids to the web site and back', async () => {
    const page = await newPage()
    const person = await register(service)
    const other = await confirmedUser(service, { password: goodPassword })
    const { app } = await enableApp(service, person)
    const phone = '+14155550101'
    await other.post('/api/account/2fa/enable', { provider: 'SMS', phone })
    await other.post('/api/account/2fa/confirm', { code: await service.phones.codeTo(phone) })
    await page.goto(application.begin())
    await submitPassword(page, person.email)
    await page.getByLabel('Code').fill(app.wrong())
    await press(page, 'Continue')
    await page.getByRole('alert').waitFor()
    await assertGood(page, 'Enter your code', /422/)

    await press(page, 'Use another account')
    await submitPassword(page, other.email)
    await press(page, 'Send code')
    await page.getByRole('status').waitFor()
    await page.getByLabel('Code').fill(await service.phones.codeTo(phone, 2))
    await press(page, 'Continue')
    await assertGood(page, 'No emoji id yet')
    await page.getByRole('link', { name: 'Get an emoji id' }).click()
    await page.getByRole('region', { name: 'An application is waiting' }).waitFor()
    await page.waitForURL(`${service.webUrl}/`)
    const id = await grant(admin, { user_id: other.id })
    await page.getByRole('link', { name: 'Continue to the application' }).click()
    await choose(page, id)
    await assertLoggedIn(page, id)
    expect(page.problems).toEqual([])
    await page.goto(application.begin({ client_id: 'unknown' }))
    await expect.poll(() => page.title()).toBe('This address doesn’t work')
  })
})
