import { afterAll, beforeAll, expect, it } from 'vitest'
import { openBrowser, type TestPage } from '../support/browser.ts'
import { goInApp } from '../support/in-app.ts'
import { addVirtualAuthenticator } from '../support/passkeys.ts'
import { goodPassword, type MailedService, mailedService, newcomer } from '../support/people.ts'
import { enableApp } from '../support/second-factor.ts'
import { assertGoodLooks, openAs } from '../support/web-pages.ts'

const { newPage } = openBrowser()

let service: MailedService
beforeAll(async () => {
  service = await mailedService({ reachable: true })
})
afterAll(() => service?.close())

const button = (page: TestPage, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' })
const rows = (page: TestPage) =>
  page.getByRole('table', { name: 'Your passkeys' }).getByRole('rowheader')

it('a passkey is added, named, renamed, used to sign in and to confirm, and removed', async () => {
  const anna = await newcomer(service, { password: goodPassword, isVerified: true })
  const page = await newPage()
  const authenticator = await addVirtualAuthenticator(page)
  await openAs(service, page, anna, '/account/security')
  await page.getByText('You have no passkey yet.').waitFor()
  await button(page, 'Add a passkey').click()
  await page.getByLabel('Name', { exact: true }).fill('My phone')
  await button(page, 'Add it').click()
  await expect.poll(() => rows(page).allTextContents()).toEqual(['My phone'])
  // The same device does not register twice.
  await button(page, 'Add a passkey').click()
  await page.getByLabel('Name', { exact: true }).fill('Again')
  await button(page, 'Add it').click()
  await page.getByText('This device already has a passkey for your account.').waitFor()
  await button(page, 'Cancel').click()
  await button(page, /^Rename/).click()
  await page.getByLabel('Name', { exact: true }).fill('Anna’s phone')
  await button(page, 'Rename it').click()
  await expect.poll(() => rows(page).allTextContents()).toEqual(['Anna’s phone'])

  await button(page, 'Sign out').click()
  await page.getByRole('link', { name: 'Sign in' }).first().waitFor()
  await goInApp(page, '/sign-in?next=%2Faccount%2Fsecurity')
  await authenticator.refuse(true)
  await button(page, 'Sign in with a passkey').click()
  await page.getByText('No passkey was used.').waitFor()
  await authenticator.refuse(false)
  await button(page, 'Sign in with a passkey').click()
  await expect.poll(() => rows(page).allTextContents()).toEqual(['Anna’s phone'])

  // A passkey that is older than the second factor takes the place of a code once a code allowed it.
  const { app } = await enableApp(service, anna)
  service.clock.advance(20 * 60_000)
  await page.reload()
  await button(page, 'Use a passkey').click()
  await page.getByText('This passkey is older than your second factor.').waitFor()
  await assertGoodLooks(page)
  await page.getByLabel('Code', { exact: true }).fill(app.next())
  await button(page, 'Continue').click()
  await page.getByText('Older than your second factor: we also ask for a code.').waitFor()
  await button(page, /^Use without code/).click()
  await button(page, 'Allow it').click()
  await expect.poll(() => rows(page).allTextContents()).toEqual(['Anna’s phone'])
  service.clock.advance(20 * 60_000)
  await button(page, /^Remove/).click()
  await button(page, 'Remove it').click()
  await button(page, 'Use a passkey').click()
  await page.getByText('You have no passkey yet.').waitFor()
  expect(page.problems.filter((text) => !/40[13]|42[24]/.test(text))).toEqual([])
})
