import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Application, startApplication, submitPassword } from '../support/application.ts'
import { openBrowser, type TestPage } from '../support/browser.ts'
import { grant } from '../support/ids.ts'
import {
  confirmedUser,
  goodPassword,
  type MailedService,
  mailedService,
  type Person,
  register,
  registerAs,
} from '../support/people.ts'
import { enableApp, smsSink } from '../support/second-factor.ts'
import { assertGoodPage, tabTo } from '../support/web-pages.ts'

const { newPage } = openBrowser()

let phones: Awaited<ReturnType<typeof smsSink>>
let service: MailedService
let admin: Person
let application: Application
beforeAll(async () => {
  phones = await smsSink()
  service = await mailedService({ reachable: true, env: { SMS_URL: phones.url } })
  admin = await registerAs(service, 'Admin')
  application = await startApplication(service, admin)
})
afterAll(async () => {
  await application?.close()
  await service?.close()
  await phones?.close()
})

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
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click()
/** Asserts the title and the accessibility of the page. */
const assertGood = async (page: TestPage, title: string, text?: RegExp) => {
  await assertGoodPage(page, { title, problem: text })
  page.problems.length = 0
}

describe('signing in to an application with an emoji id', () => {
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
  it('are accessible: codes of an app and of a phone, and no id to choose', async () => {
    const page = await newPage()
    const person = await register(service)
    const other = await confirmedUser(service, { password: goodPassword })
    const { app } = await enableApp(service, person)
    const phone = '+14155550101'
    await other.post('/api/account/2fa/enable', { provider: 'SMS', phone })
    await other.post('/api/account/2fa/confirm', { code: await phones.codeTo(phone) })
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
    await assertGood(page, 'Enter your code')
    await page.getByLabel('Code').fill(await phones.codeTo(phone, 2))
    await press(page, 'Continue')
    await assertGood(page, 'No emoji id yet')
    await page.goto(application.begin({ client_id: 'unknown' }))
    await assertGood(page, 'This address doesn’t work', /400/)
  })

  it('lead a person without ids to the web site and back to the application', async () => {
    const page = await newPage()
    const person = await confirmedUser(service, { password: goodPassword })
    await begin(page)
    await submitPassword(page, person.email)
    await page.getByRole('link', { name: 'Get an emoji id' }).click()
    await page.getByRole('region', { name: 'An application is waiting' }).waitFor()
    await page.waitForURL(`${service.webUrl}/`)
    const id = await grant(admin, { user_id: person.id })
    await page.getByRole('link', { name: 'Continue to the application' }).click()
    await choose(page, id)
    await assertLoggedIn(page, id)
    expect(page.problems).toEqual([])
  })
})
