import { beforeAll, expect, it } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { at, grant } from '../support/ids.ts'
import { goInApp } from '../support/in-app.ts'
import { newcomer, type Person, registerAs } from '../support/people.ts'
import { type Site, sharedSite } from '../support/shared-site.ts'
import { openAs } from '../support/web-pages.ts'

const { newPage } = openBrowser()

let service: Site
let admin: Person
beforeAll(async () => {
  service = await sharedSite()
  admin = await registerAs(service, 'Admin')
})

it('the app keeps the forms of an id and of the account over a reload', async () => {
  const anna = await newcomer(service, { isVerified: true })
  const id = await grant(admin, { user_id: anna.id })
  const insert = [{ tag: '0x1003', data: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' }]
  expect((await anna.patch(at(id), { insert })).status).toBe(200)
  const page = await newPage()
  // The browser asks, since a closed tab would lose the draft.
  page.removeAllListeners('dialog')
  page.on('dialog', (question) => void question.accept())
  const path = `/account/ids/${encodeURIComponent(id)}`
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const address = page.getByLabel('Address', { exact: true })
  const message = page.getByLabel('Message')
  const pageName = page.getByLabel('Name', { exact: true })
  await openAs(service, page, anna, `${path}/share`)
  await page.getByLabel('Amount').fill('0.000000001')
  await page.getByText('at most 8 decimal places').waitFor()
  await page.getByLabel('Amount').fill('0.5')
  await goInApp(page, '/account/transfers')
  await press('Send an emoji id')
  await page.locator(`input[type=radio][value="${id}"]`).check()
  await page.getByLabel('Recipient’s email address').fill('bert@example.com')
  await message.fill('Happy birthday')
  await page.getByLabel('With my addresses, page and pictures').check()
  await goInApp(page, `${path}/page`)
  await page.getByLabel('Lagoon').check()
  await pageName.fill('Anna')
  await goInApp(page, path)
  await press('Add one address for several networks')
  await address.fill('0x5aAeb6053F3E')
  await page.getByLabel('Avalanche').check()

  await page.reload()
  await expect.poll(() => address.inputValue()).toBe('0x5aAeb6053F3E')
  expect(await page.getByLabel('Avalanche').isChecked()).toBe(true)
  await press('Cancel')
  await press('Add an address')
  expect(await address.inputValue()).toBe('')
  await goInApp(page, `${path}/share`)
  await page.getByRole('img', { name: 'QR code: request of 0.5 BTC' }).waitFor()
  await goInApp(page, '/account/transfers')
  await expect.poll(() => message.inputValue()).toBe('Happy birthday')
  await press('Continue')
  await page.getByText('bert@example.com').waitFor()
  await page.getByText('Addresses, page and pictures move with the id.').waitFor()
  await page.getByRole('dialog').getByRole('button').last().click()
  await press('Cancel')
  await press('Send an emoji id')
  expect(await message.inputValue()).toBe('')
  await press('Cancel')
  await goInApp(page, `${path}/page`)
  await expect.poll(() => pageName.inputValue()).toBe('Anna')
  expect(await page.getByLabel('Lagoon').isChecked()).toBe(true)
  expect(page.problems).toEqual([])
})

it('the app shows unsaved input and stored details of one account to no other one, and a lost connection while it lasts', async () => {
  const [anna, bert] = [
    await newcomer(service, { isVerified: true }),
    await newcomer(service, { isVerified: true }),
  ]
  const id = await grant(admin, { user_id: anna.id })
  const first = await newPage()
  await openAs(service, first, anna, '/account')
  await first.getByRole('rowheader').first().waitFor()
  const stored = () =>
    first.evaluate(() => {
      localStorage.setItem('invoice', '{"company":"Anna Ltd"}')
      return localStorage.getItem('own-ids')
    })
  expect(await stored()).toContain(id)
  const second = await first.context().newPage()
  await second.goto(`${service.webUrl}/account/profile`)
  await second.getByLabel('First name').fill('Anna private draft')
  // The session is lost without a sign-out.
  await first.context().clearCookies()
  await openAs(service, first, bert, '/account')
  await first.getByText('You don’t own an emoji id yet.').waitFor()
  const entries = () => first.evaluate(() => Object.keys(localStorage))
  expect(await entries()).not.toContain('invoice')
  expect(await first.evaluate(() => localStorage.getItem('own-ids'))).toBe('[]')
  await second.reload()
  await second.getByLabel('First name').waitFor()
  expect(await second.getByLabel('First name').inputValue()).toBe('')

  // The notice of a lost connection disappears once the browser is online again.
  await goInApp(first, '/account/transfers')
  await first.getByText('No incoming transfers.').waitFor()
  await first.context().setOffline(true)
  await first.getByLabel('Include accepted transfers').check()
  await first.getByText('You seem to be offline.').first().waitFor()
  await first.context().setOffline(false)
  await expect.poll(() => first.getByText('You seem to be offline.').count()).toBe(0)

  await stored()
  await first.getByRole('button', { name: 'Sign out' }).click()
  await first.getByRole('navigation').getByRole('link', { name: 'Sign in' }).waitFor()
  for (const entry of ['invoice', 'own-ids']) expect(await entries()).not.toContain(entry)
})
