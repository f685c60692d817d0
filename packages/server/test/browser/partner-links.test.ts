import { afterAll, beforeAll, expect, it } from 'vitest'
import { openBrowser, type TestPage } from '../support/browser.ts'
import { grant } from '../support/ids.ts'
import { readCallback, wallet, withWallet } from '../support/partner-pages.ts'
import {
  confirmedUser,
  type MailedService,
  mailedService,
  type Person,
  register,
  registerAs,
} from '../support/people.ts'

const { newPage } = openBrowser()

const bitcoin = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
/** Longer than an emailed link may be. */
const long = Array.from({ length: 25 }, (_, nth) => ({ [`0x7${100 + nth}`]: 'x'.repeat(50) }))
const records = [{ '0x1003': `${bitcoin}|Savings` }, ...long]
const address_json = Buffer.from(JSON.stringify(records)).toString('base64url')

let service: MailedService
let admin: Person
beforeAll(async () => {
  service = await mailedService({ reachable: true })
  admin = await registerAs(service, 'Super')
  await admin.post('/api/admin/organizations', { name: 'Wallet One', partner_path: 'wallet-one' })
  const branding = { currencies: ['BTC'], return_link: `${wallet}/back` }
  const set = await admin.put('/api/organizations/wallet-one/branding', branding)
  expect(set.status).toBe(200)
})
afterAll(() => service?.close())

const button = (page: TestPage, name: string) => page.getByRole('button', { name })
const visitor = async () => withWallet(await newPage())

/** An owner who requested a link on the page of a partner. */
async function linkAskedFor(page: TestPage): Promise<string> {
  const { id, email } = await confirmedUser(service)
  await grant(admin, { user_id: id })
  // The email of the registration comes first.
  await service.mailTo(email)
  const query = new URLSearchParams({ address_json })
  await page.goto(`${service.webUrl}/partner/wallet-one/link-email?${query}`)
  await page.getByLabel('Email address').fill(email)
  await button(page, 'Email me a link').click()
  return service.webUrl + (await service.linkTo(email, 2))
}

async function choose(page: TestPage, mailedLink: string, { isElsewhere = false } = {}) {
  await page.goto(mailedLink)
  await button(page, 'Sign in').click()
  await button(page, 'Continue without a password').click()
  if (isElsewhere) await button(page, 'Sign in as this account').click()
  await button(page, 'Yes, continue').click()
  await page.getByRole('link', { name: /^Choose/ }).click()
}

it('the partner page stores data that is too long for an emailed link for another window of the browser', async () => {
  const page = await visitor()
  const mailedLink = await linkAskedFor(page)
  const window = (await page.context().newPage()) as TestPage
  await choose(window, mailedLink)
  const row = window.getByRole('listitem').filter({ hasText: 'Bitcoin (BTC)' })
  await row.getByText('Savings').waitFor()
  const entries = await window.evaluate(() => Object.keys(localStorage).sort())
  expect(entries).toEqual(['account', 'asked-links'])
})

it('the partner page says which data stayed behind when the link opens in another browser', async () => {
  const mailedLink = await linkAskedFor(await visitor())
  const otherTestPage = await visitor()
  await choose(otherTestPage, mailedLink, { isElsewhere: true })
  await otherTestPage.getByText('in the browser where you asked for the link').waitFor()
})

it('the partner page returns a working token to the partner after the first emailed link of the account', async () => {
  const page = await visitor()
  const { email, tokens } = await register(service, { password: null })
  const query = new URLSearchParams({ refresh_token: tokens.refresh_token })
  await page.goto(`${service.webUrl}/partner/wallet-one?${query}`)
  await page.getByText('Wallet One stays signed in to it').waitFor()
  await button(page, 'Yes, continue').click()
  await page.getByRole('region', { name: 'You came from Wallet One' }).waitFor()
  const window = (await page.context().newPage()) as TestPage
  await window.goto(service.webUrl + (await service.linkTo(email)))
  await button(window, 'Sign in').click()
  await button(window, 'Continue without a password').click()
  await button(window, 'Sign in as this account').click()
  await window.getByRole('navigation').getByText(email).waitFor()

  await button(page, 'Go back to Wallet One').click()
  const { refresh_token } = await readCallback(page)
  expect(refresh_token).not.toBe(tokens.refresh_token)
  const refresh = (token?: string) =>
    service.post('/api/auth/token/refresh', { refresh_token: token })
  expect((await refresh(refresh_token)).status).toBe(200)
  expect((await refresh(tokens.refresh_token)).status).toBe(401)
})

it('the partner page accepts a badly encoded query and removes it from the URL', async () => {
  const page = await visitor()
  const person = await confirmedUser(service)
  await grant(admin, { user_id: person.id })
  const path = `${service.webUrl}/partner/wallet-one/link-email`
  const faults = ['addresses=%', `eid=%FF%00&addresses=0x1003%3D${bitcoin}%7C0x1004=100%`]
  for (const fault of faults) {
    const answer = await page.goto(`${path}?refresh_token=${person.tokens.refresh_token}&${fault}`)
    expect(answer?.status()).toBe(200)
    await page.getByText(person.email).first().waitFor()
    await page.waitForURL(path)
  }
  await button(page, 'Yes, continue').click()
  await page.getByRole('link', { name: /^Choose/ }).click()
  await page.getByRole('listitem').filter({ hasText: 'Bitcoin (BTC)' }).first().waitFor()
})

it('the partner page rejects a badly encoded path', async () => {
  expect((await service.get('/partner/%FF?addresses=x')).status).toBe(400)
  expect((await service.get('/sign-in?next=%')).status).toBe(400)
})
