import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Application, startApplication, submitPassword } from '../support/application.ts'
import { openBrowser } from '../support/browser.ts'
import { grant } from '../support/ids.ts'
import { goodPassword, newcomer, type Person, registerAs } from '../support/people.ts'
import { type Site, sharedSite } from '../support/shared-site.ts'
import { openAs } from '../support/web-pages.ts'

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

async function owner() {
  const person = await newcomer(service, { password: goodPassword, isVerified: true })
  return { ...person, eid: await grant(admin, { user_id: person.id }) }
}

describe('one sign-in', () => {
  it('at the web site leads an application to the selector, which still asks for a click', async () => {
    const anna = await owner()
    const page = await newPage()
    await openAs(service, page, anna, '/health/live')
    await page.goto(application.address)
    await page.getByRole('link', { name: 'Log in with your emoji id' }).click()
    await expect.poll(() => page.title()).toBe('Choose an emoji id')
    expect(page.url()).not.toContain('web_login')
    await page.getByText(anna.email).waitFor()
    await page.getByRole('listitem').filter({ hasText: anna.eid }).getByRole('link').click()
    await expect.poll(() => page.title()).toBe('Logged in')
    expect(page.problems).toEqual([])
  })

  it('at an application continues at the web site with one press', async () => {
    const anna = await owner()
    const page = await newPage()
    await page.goto(application.begin())
    await submitPassword(page, anna.email)
    await expect.poll(() => page.title()).toBe('Choose an emoji id')
    await page.goto(`${service.webUrl}/sign-in?next=%2Faccount`)
    await page.getByText(`You’re signed in as ${anna.email} in this browser.`).waitFor()
    await page.getByRole('button', { name: 'Continue with this account' }).click()
    await page.waitForURL(`${service.webUrl}/account`)
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
    expect(page.problems).toEqual([])
  })
})
