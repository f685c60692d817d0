import { afterAll, beforeAll, expect, it } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { at, grant } from '../support/ids.ts'
import { newcomer, type Person, registerAs } from '../support/people.ts'
import { type TestService, testService } from '../support/service.ts'
import { openAs } from '../support/web-pages.ts'

const { newPage } = openBrowser()

let service: TestService
let admin: Person
beforeAll(async () => {
  service = await testService({ reachable: true })
  admin = await registerAs(service, 'Admin')
})
afterAll(() => service?.close())

it('the editor keeps the draft of the page tab over a reload, until it is saved', async () => {
  const anna = await newcomer(service, { isVerified: true })
  const id = await grant(admin, { user_id: anna.id })
  const page = await newPage()
  const path = `/account/ids/${encodeURIComponent(id)}/page`
  await openAs(service, page, anna, path)
  const name = page.getByLabel('Name', { exact: true })
  await name.fill('Anna')
  // The browser asks, since a closed tab would lose the draft.
  page.removeAllListeners('dialog')
  page.on('dialog', (question) => void question.accept())
  await page.reload()
  await expect.poll(() => name.inputValue()).toBe('Anna')
})

it('the app keeps the other forms of an id and of the account over a reload', async () => {
  const anna = await newcomer(service, { isVerified: true })
  const id = await grant(admin, { user_id: anna.id })
  const insert = [{ tag: '0x1003', data: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' }]
  expect((await anna.patch(at(id), { insert })).status).toBe(200)
  const page = await newPage()
  page.removeAllListeners('dialog')
  page.on('dialog', (question) => void question.accept())
  const path = `/account/ids/${encodeURIComponent(id)}`
  await openAs(service, page, anna, `${path}/page`)
  await page.getByLabel('Lagoon').check()
  await page.reload()
  await expect.poll(() => page.getByLabel('Lagoon').isChecked()).toBe(true)

  await page.goto(`${service.webUrl}${path}`)
  const evm = page.getByRole('button', { name: 'Add one address for several networks' })
  await evm.click()
  await page.getByLabel('Address', { exact: true }).fill('0x5aAeb6053F3E')
  await page.getByLabel('Avalanche').check()
  await page.reload()
  const address = page.getByLabel('Address', { exact: true })
  await expect.poll(() => address.inputValue()).toBe('0x5aAeb6053F3E')
  expect(await page.getByLabel('Avalanche').isChecked()).toBe(true)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Add an address' }).click()
  expect(await address.inputValue()).toBe('')
  await address.fill('bc1half')
  await page.reload()
  await expect.poll(() => address.inputValue()).toBe('bc1half')

  await page.goto(`${service.webUrl}/account/interests`)
  await page.getByRole('search').getByRole('textbox').fill('🐙')
  await page.getByRole('list', { name: 'Chosen emojis' }).waitFor()
  await page.reload()
  await page.getByRole('list', { name: 'Chosen emojis' }).waitFor()

  await page.goto(`${service.webUrl}${path}/share`)
  await page.getByLabel('Amount').fill('99999999999999999999999')
  await page.getByText('below a trillion').waitFor()
  await page.getByLabel('Amount').fill('0.000000001')
  await page.getByText('at most 8 decimal places').waitFor()
  await page.getByLabel('Amount').fill('0.5')
  await page.reload()
  await page.getByRole('img', { name: 'QR code: request of 0.5 BTC' }).waitFor()

  await page.goto(`${service.webUrl}/account/transfers`)
  await page.getByRole('button', { name: 'Send an emoji id' }).click()
  await page.locator(`input[type=radio][value="${id}"]`).check()
  await page.getByLabel('Recipient’s email address').fill('bert@example.com')
  await page.getByLabel('Message').fill('Happy birthday')
  await page.getByLabel('With my addresses, page and pictures').check()
  await page.reload()
  await expect.poll(() => page.getByLabel('Message').inputValue()).toBe('Happy birthday')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('bert@example.com').waitFor()
  await page.getByText('Addresses, page and pictures move with the id.').waitFor()
  await page.getByRole('dialog').getByRole('button').last().click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.reload()
  await page.getByRole('button', { name: 'Send an emoji id' }).click()
  expect(await page.getByLabel('Message').inputValue()).toBe('')

  await page.goto(`${service.webUrl}/account/webhooks`)
  await page.getByRole('button', { name: 'Add an endpoint' }).click()
  await page.getByLabel('Address').fill('https://shop.example/hook')
  await page.getByLabel('order.paid').check()
  await page.reload()
  await expect.poll(() => page.getByLabel('Address').inputValue()).toBe('https://shop.example/hook')
  expect(await page.getByLabel('order.paid').isChecked()).toBe(true)

  await page.goto(`${service.webUrl}/account/keys`)
  await page.getByRole('button', { name: 'Create an API key' }).click()
  await page.getByLabel('Name').fill('My program')
  await page.reload()
  await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('My program')

  await page.goto(`${service.webUrl}/account/profile`)
  await page.getByLabel('First name').fill('Anna')
  await page.reload()
  await expect.poll(() => page.getByLabel('First name').inputValue()).toBe('Anna')
  expect(page.problems).toEqual([])
})

it('the app shows unsaved input and stored details of one account to no other one', async () => {
  const [anna, bert] = [
    await newcomer(service, { isVerified: true }),
    await newcomer(service, { isVerified: true }),
  ]
  const id = await grant(admin, { user_id: anna.id })
  const first = await newPage({ isFresh: true })
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
  await first.getByRole('button', { name: 'Sign out' }).click()
  await first.getByRole('navigation').getByRole('link', { name: 'Sign in' }).waitFor()
  const entries = () => first.evaluate(() => Object.keys(localStorage))
  for (const entry of ['invoice', 'own-ids']) expect(await entries()).not.toContain(entry)

  await openAs(service, first, anna, '/account')
  await first.getByRole('rowheader').first().waitFor()
  expect(await stored()).toContain(id)
  await second.goto(`${service.webUrl}/account/profile`)
  await second.getByLabel('First name').fill('Anna private draft')
  // The session is lost without a sign-out.
  await first.context().clearCookies()
  await openAs(service, first, bert, '/account')
  await first.getByText('You don’t own an emoji id yet.').waitFor()
  expect(await entries()).not.toContain('invoice')
  expect(await first.evaluate(() => localStorage.getItem('own-ids'))).toBe('[]')
  await second.reload()
  await second.getByLabel('First name').waitFor()
  expect(await second.getByLabel('First name').inputValue()).toBe('')
})

it('the app removes the notice of a lost connection once the browser is online again', async () => {
  const anna = await newcomer(service, { isVerified: true })
  const page = await newPage()
  await openAs(service, page, anna, '/account/transfers')
  await page.getByText('No incoming transfers.').waitFor()
  await page.getByRole('link', { name: 'See my emoji ids' }).waitFor()
  await page.context().setOffline(true)
  await page.getByLabel('Include accepted transfers').check()
  await page.getByText('You seem to be offline.').first().waitFor()
  await page.context().setOffline(false)
  await expect.poll(() => page.getByText('You seem to be offline.').count()).toBe(0)
})
