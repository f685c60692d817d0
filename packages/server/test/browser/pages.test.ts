import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, type TestPage } from '../support/browser.ts'
import { at, grant } from '../support/ids.ts'
import { linkKinds } from '../support/mailed-links.ts'
import { goodPassword, newEmail, register, registerAs } from '../support/people.ts'
import { type Site, sharedSite } from '../support/shared-site.ts'
import { assertDarkLooks, hasFocus, tabTo } from '../support/web-pages.ts'

const { newPage } = openBrowser()

let service: Site
beforeAll(async () => {
  service = await sharedSite()
})

const linkTo = async (email: string, count = 1) => {
  const mail = await service.mailTo(email, count)
  return /http:\S+/.exec(mail?.text ?? '')?.[0] ?? ''
}
const signInLink = async () => {
  const email = newEmail()
  await register(service, { email, password: null })
  return linkTo(email)
}
const undoLink = async () => {
  const anna = await register(service, { password: null })
  const id = await grant(await registerAs(service, 'Admin'), { user_id: anna.id })
  await service.mailTo(anna.email)
  const insert = [{ tag: '0x1003', data: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' }]
  await anna.patch(at(id), { insert })
  return linkTo(anna.email, 2)
}
/** The pages share their parts, whose light look other tests check. */
async function assertGood(page: TestPage, title: string, problem?: RegExp) {
  await expect.poll(() => page.title()).toBe(title)
  await assertDarkLooks(page)
  expect(page.problems).toEqual(problem ? [expect.stringMatching(problem)] : [])
}

type Case = {
  name: string
  title: string
  open: (page: Page) => Promise<unknown>
  /** The expected console message of an error page. */
  problem?: RegExp
}
const openAddress = (address: () => string) => (page: Page) => page.goto(address())
const openMailedLink = (kind: string) => async (page: Page) => {
  const link = await linkKinds.find(({ name }) => name === kind)?.mail(service)
  await page.goto(`${service.webUrl}${link?.link}`)
}
const cases: Case[] = [
  {
    name: 'the authorization site',
    title: 'Sign-in',
    open: openAddress(() => `${service.webUrl}/auth/`),
  },
  {
    name: 'where a partner gets people back',
    title: 'Back at the partner',
    open: openAddress(() => `${service.webUrl}/dev/return?order_uuid=${'90e41387'.repeat(8)}`),
  },
  {
    name: 'a page that is not there',
    title: 'Page not found',
    open: openAddress(() => `${service.webUrl}/nothing`),
    problem: /404/,
  },
  {
    name: 'a link that is not good',
    title: 'This link doesn’t work',
    open: openAddress(() => `${service.webUrl}/auth/magic_link?refresh_token=x`),
    problem: /422/,
  },
  {
    name: 'the link that takes back a changed address',
    title: 'Was this you?',
    open: openMailedLink('take back a changed address'),
  },
  {
    name: 'the link that confirms an address',
    title: 'Confirm your email address',
    open: openMailedLink('confirm an address'),
  },
  {
    name: 'what follows a confirmation',
    title: 'Thank you',
    open: (page) => page.getByRole('button', { name: 'Yes' }).click(),
  },
  {
    name: 'the link that sets a new password',
    title: 'New password',
    open: openMailedLink('set a new password'),
  },
  {
    name: 'the link that undoes a change',
    title: 'Undo a change',
    open: async (page) => page.goto(await undoLink()),
  },
]

it('every page is accessible', async () => {
  const page = await newPage()
  for (const { name, open, title, problem } of cases) {
    page.problems.length = 0
    await open(page)
    await assertGood(page, title, problem).catch((cause) => {
      throw new Error(`${name}: ${cause.message}`, { cause })
    })
  }
})

describe('the emailed sign-in link', () => {
  it('the emailed sign-in link works with the keyboard alone', async () => {
    const page = await newPage()
    await page.goto(await signInLink())
    await assertGood(page, 'Sign in')
    await page.keyboard.press('Tab')
    await expect.poll(() => hasFocus(page.getByRole('button', { name: 'Sign in' }))).toBe(true)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/auth/first_password?*')
    await assertGood(page, 'Choose a password')

    await tabTo(page, /^New password/)
    await page.keyboard.type('password123')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    page.problems.length = 0
    await tabTo(page, /^New password/)
    await page.keyboard.type(goodPassword)
    await page.keyboard.press('Enter')
    // The link was requested in another browser.
    await page.getByRole('button', { name: 'Sign in as this account' }).waitFor()
    expect(page.problems).toEqual([])
  })
})
