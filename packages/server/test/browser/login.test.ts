import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Application,
  askForLink,
  startApplication,
  submitPassword,
} from '../support/application.ts'
import { openBrowser } from '../support/browser.ts'
import { grant } from '../support/ids.ts'
import { goodPassword, newcomer, type Person, register, registerAs } from '../support/people.ts'
import { testService } from '../support/service.ts'
import { type Site, sharedSite } from '../support/shared-site.ts'
import { assertDarkLooks, openAs, tabTo } from '../support/web-pages.ts'

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

/** A person with two ids. */
const withIds = async (person: Person) => {
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
describe('signing in to an application with an emoji id', () => {
  it('signing in to an application with an emoji id works by an emailed link in the same browser', async () => {
    const { email, ids } = await withIds(await register(service, { password: null }))
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

    expect(await page.getByText(email).count()).toBe(1)
    await choose(page, ids[1])
    await assertLoggedIn(page, ids[1])
  })

  it('works by password and keyboard, can be denied, and continues at the web site with one press', async () => {
    const { email, ids } = await withIds(await newcomer(service, { password: goodPassword }))
    const page = await newPage()
    await begin(page)
    await assertDarkLooks(page)
    await page.getByRole('link', { name: 'Return to Crab Shop' }).click()
    await expect.poll(() => page.title()).toBe('Not logged in')
    expect(await page.getByText('access_denied').count()).toBe(1)

    await tabTo(page, 'Again')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.title()).toBe('Log in with your emoji id')
    await tabTo(page, /^E-?mail address/i)
    await tabTo(page, /^E-?mail address/i)
    await page.keyboard.type(email)
    await tabTo(page, /^Password/)
    await page.keyboard.type(goodPassword)
    await page.keyboard.press('Enter')
    await expect.poll(() => page.title()).toBe('Choose an emoji id')
    await assertDarkLooks(page)
    await tabTo(page, /^\s*Continue as/)
    const focusedText = await page.evaluate(() => document.activeElement?.textContent ?? '')
    await page.keyboard.press('Enter')
    await assertLoggedIn(
      page,
      ids.find((id) => focusedText.includes(id)),
    )

    await page.goto(`${service.webUrl}/sign-in?next=%2Faccount`)
    await page.getByText(`You’re signed in as ${email} in this browser.`).waitFor()
    await press(page, 'Continue with this account')
    await page.waitForURL(`${service.webUrl}/account`)
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
    expect(page.problems).toEqual([])
  })

  it('signing in to an application with an emoji id after a sign-in at the web site needs only the choice of an id', async () => {
    const anna = await withIds(await newcomer(service, { isVerified: true }))
    const page = await newPage()
    await openAs(service, page, anna, '/health/live')
    await page.goto(application.begin())
    await expect.poll(() => page.title()).toBe('Choose an emoji id')
    expect(page.url()).not.toContain('web_login')
    await page.getByText(anna.email).waitFor()
    await choose(page, anna.ids[0])
    await assertLoggedIn(page, anna.ids[0])
    expect(page.problems).toEqual([])
  })
})

describe('the sign-in pages of an application', () => {
  it('accept a code of a phone, and lead a person without ids to the web site and back', async () => {
    const page = await newPage()
    const person = await newcomer(service, { password: goodPassword, isVerified: true })
    const phone = '+14155550101'
    await person.post('/api/account/2fa/enable', { provider: 'SMS', phone })
    await person.post('/api/account/2fa/confirm', { code: await service.phones.codeTo(phone) })
    await page.goto(application.begin())
    await submitPassword(page, person.email)
    await press(page, 'Send code')
    await page.getByRole('status').waitFor()
    const code = await service.phones.codeTo(phone, 2)
    await page.getByLabel('Code').fill(code === '111111' ? '222222' : '111111')
    await press(page, 'Continue')
    await page.getByRole('alert').waitFor()
    expect(await page.title()).toBe('Enter your code')
    await assertDarkLooks(page)
    await page.getByLabel('Code').fill(code)
    await press(page, 'Continue')
    await expect.poll(() => page.title()).toBe('No emoji id yet')
    await assertDarkLooks(page)
    await page.getByRole('link', { name: 'Get an emoji id' }).click()
    await page.getByRole('region', { name: 'An application is waiting' }).waitFor()
    await page.waitForURL(`${service.webUrl}/`)
    const id = await grant(admin, { user_id: person.id })
    await page.getByRole('link', { name: 'Continue to the application' }).click()
    await choose(page, id)
    await assertLoggedIn(page, id)
    expect(page.problems.filter((text) => !text.includes('422'))).toEqual([])
    const { body } = await service.get('/auth/authorize?client_id=unknown')
    expect(body).toContain('This address doesn’t work')
  })
})

describe('sites on two hosts', () => {
  it('sites on two hosts are both signed out by a sign-out at either of them', async () => {
    const hosts = { web: 'www.crabs.localhost', auth: 'auth.crabs.localhost' }
    const ownService = await testService({ reachable: true, hosts })
    const ownAdmin = await registerAs(ownService, 'Admin')
    const authUrl = `${ownService.webUrl.replace(hosts.web, hosts.auth)}/auth`
    const shop = await startApplication(ownService, ownAdmin, authUrl)
    const anna = await newcomer(ownService, { password: goodPassword, isVerified: true })
    await grant(ownAdmin, { user_id: anna.id })
    const page = await newPage()
    const beginAtAuth = () => page.goto(shop.begin())
    const isOffered = (title: string) => expect.poll(() => page.title()).toBe(title)
    const signInAtWeb = async () => {
      await page.goto(`${ownService.webUrl}/sign-in?next=%2Faccount`)
      await page.getByLabel('Email').first().fill(anna.email)
      await page.getByLabel('Password', { exact: true }).fill(goodPassword)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.waitForURL(`${ownService.webUrl}/account`)
    }
    // The session at the authorization site continues the one at the web site.
    await signInAtWeb()
    await beginAtAuth()
    await isOffered('Choose an emoji id')
    expect(new URL(page.url()).hostname).toBe(hosts.auth)
    await page.goto(`${ownService.webUrl}/account`)
    await press(page, 'Sign out')
    await page.getByRole('link', { name: 'Sign in' }).first().waitFor()
    await beginAtAuth()
    await isOffered('Log in with your emoji id')

    await signInAtWeb()
    await beginAtAuth()
    await isOffered('Choose an emoji id')
    await press(page, 'Use another account')
    await isOffered('Log in with your emoji id')
    await page.goto(`${ownService.webUrl}/account`)
    await page.getByRole('link', { name: 'Sign in' }).first().waitFor()
    expect(page.problems).toEqual([])
    await shop.close()
    await ownService.close()
  })
})
