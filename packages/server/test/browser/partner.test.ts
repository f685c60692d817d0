import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, type TestPage } from '../support/browser.ts'
import { at, grant, newId } from '../support/ids.ts'
import { goInApp } from '../support/in-app.ts'
import {
  assertTokenHidden,
  readCallback,
  referrersOf,
  wallet,
  withWallet,
} from '../support/partner-pages.ts'
import {
  goodPassword,
  newcomer,
  newEmail,
  type Person,
  register,
  registerAs,
} from '../support/people.ts'
import { echo, field } from '../support/search-page.ts'
import { type Site, sharedSite } from '../support/shared-site.ts'
import { buyer } from '../support/shop.ts'
import { assertDarkLooks, assertGoodLooks, hasFocus } from '../support/web-pages.ts'

const { newPage } = openBrowser()

const bitcoin = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const otherBitcoin = '1BoatSLRHtKNngkdXEeobR76b53LETtpyT'
const ether = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

let shop: Site
let admin: Person
beforeAll(async () => {
  shop = await sharedSite()
  admin = await registerAs(shop, 'Super')
  await addPartner('wallet-one', 'Wallet One', {
    currencies: ['BTC', 'ETH'],
    return_link: `${wallet}/back?from=directory`,
    logo_small: `${wallet}/logo.svg`,
  })
  await addPartner('wallet-two', 'Wallet Two', {
    currencies: [],
    return_link: 'wallettwo://done',
    requires_email: true,
  })
})

async function addPartner(partner_path: string, name: string, branding: object) {
  const client_fee_percent = 10
  await admin.post('/api/admin/organizations', { name, partner_path, client_fee_percent })
  const set = await admin.put(`/api/organizations/${partner_path}/branding`, branding)
  expect(set.status).toBe(200)
}

const button = (page: TestPage, name: string | RegExp) => page.getByRole('button', { name })
const link = (page: TestPage, name: string | RegExp) => page.getByRole('link', { name })
const heading = (page: TestPage, name: string | RegExp) => page.getByRole('heading', { name })
const row = (page: TestPage, text: string) => page.getByRole('listitem').filter({ hasText: text })
const recordsOf = async (id: string) => (await shop.get(at(id))).body
const inBase64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

const visitor = async () => withWallet(await newPage())
const visit = (page: TestPage, path: string, query: Record<string, string> = {}) =>
  page.goto(`${shop.webUrl}/partner/${path}?${new URLSearchParams(query)}`)

/** The partners of the paid orders of a buyer. */
async function sellersOf(email: string) {
  const soldOrders = await shop.db
    .selectFrom('orders')
    .innerJoin('users', 'users.id', 'orders.user_id')
    .leftJoin('organizations', 'organizations.id', 'orders.organization_id')
    .select('partner_path')
    .where('users.email', '=', email)
    .where('status', '=', 'Paid')
    .execute()
  return soldOrders.map(({ partner_path }) => partner_path)
}

describe('getting an id for a partner', () => {
  it('leads a visitor from the search to the addresses, and back to the agreed link only', async () => {
    const page = await visitor()
    const [anna, id] = [await buyer(shop, { password: goodPassword }), newId()]
    // Some partners send it without encoding it.
    const addresses = `0x1003=${bitcoin}|0x1004=${ether.slice(0, -1)}|0x1019=x|nonsense`
    const evil = 'return_url=https://evil.example&redirect_uri=https://evil.example'
    await page.goto(`${shop.webUrl}/partner/wallet-one?addresses=${addresses}&${evil}`)
    await heading(page, 'Get your emoji id').waitFor()
    await page.waitForURL(`${shop.webUrl}/partner/wallet-one`)
    await assertGoodLooks(page)
    await link(page, 'Find my emoji id').click()

    await page.getByRole('region', { name: 'You came from Wallet One' }).waitFor()
    await field(page).fill(id)
    await echo(page).getByText('Available').waitFor()
    await echo(page).getByText('in fees, including Wallet One’s fee').waitFor()
    const price = await echo(page).getByText(/^\$/).first().textContent()
    await button(page, 'Get it').click()
    await page.getByLabel('Email address').fill(anna.email)
    await page.getByLabel('Password').fill(goodPassword)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await heading(page, 'Your cart').waitFor()
    await page.getByText(`Total${price}`).waitFor()
    await anna.checkout('CardCheckout')
    await anna.promo('WELCOME')
    const order = await anna.checkout('Free')
    expect(await sellersOf(anna.email)).toEqual(['wallet-one'])
    await goInApp(page, `/orders/${order.id}`)
    await link(page, /^Continue/).click()
    await heading(page, 'Check the addresses').waitFor()
    await row(page, 'Bitcoin (BTC)').getByText('Checksum is valid').waitFor()
    await row(page, 'Ethereum (ETH)').getByText('Not saved').waitFor()
    await row(page, 'Litecoin (LTC)').getByText('Wallet One doesn’t support this').waitFor()
    await row(page, 'nonsense').getByText('name a currency and an address').waitFor()
    await assertGoodLooks(page)
    await button(page, 'Save this address').click()
    expect(await readCallback(page)).toEqual({ from: 'directory', eid: id, action: 'create' })
    expect(await recordsOf(id)).toContain(bitcoin)
    expect(await recordsOf(id)).not.toContain(ether.slice(2, 20))
    expect(page.problems).toEqual([])
  })

  it('explains an unknown partner and a rejected token, and offers a sign-in with another account', async () => {
    expect((await shop.get('/partner/%FF?addresses=x')).status).toBe(400)
    expect((await shop.get('/sign-in?next=%')).status).toBe(400)
    for (const view of ['unknown', 'unknown/link-email', 'unknown/manage'])
      expect((await shop.get(`/partner/${view}`)).status).toBe(404)
    const page = await visitor()
    await visit(page, 'wallet-one', { refresh_token: 'a-token-that-never-was' })
    await page.getByRole('alert').getByText('We couldn’t sign you in').waitFor()
    await page.waitForURL(`${shop.webUrl}/partner/wallet-one`)
    await visit(page, 'unknown/manage', { refresh_token: 'x'.repeat(43) })
    await heading(page, 'Unknown partner').waitFor()
    await page.waitForURL(`${shop.webUrl}/partner/unknown/manage`)

    const { refresh_token } = (await newcomer(shop)).tokens
    await visit(page, 'wallet-one', { refresh_token })
    await button(page, 'Not you? Use another account').click()
    await page.getByLabel('Password').waitFor()
  })
})

describe('connecting an owned id', () => {
  it('continues from the emailed link in a new window to the reviewed changes', async () => {
    const page = await visitor()
    const anna = await buyer(shop)
    const [id, other] = [
      await grant(admin, { user_id: anna.id }),
      await grant(admin, { user_id: anna.id }),
    ]
    const before = {
      insert: [
        { tag: '0x1003', data: otherBitcoin },
        { tag: '0x1004', data: ether },
      ],
    }
    expect((await anna.patch(at(id), before)).status).toBe(200)
    const addresses = `0x1003=${bitcoin}|0x1004=${ether}`
    await visit(page, 'wallet-one/link-email', { addresses, eid: id })
    await heading(page, 'Connect your emoji id').waitFor()
    await assertDarkLooks(page)
    await page.getByLabel('Email address').fill(anna.email)
    await button(page, 'Email me a link').click()
    await page.getByText('is on its way').waitFor()
    await page.waitForURL(`${shop.webUrl}/partner/wallet-one/link-email`)
    // After the email about the change.
    const mailedLink = await shop.linkTo(anna.email, 2)

    const window = (await page.context().newPage()) as TestPage
    await window.goto(shop.webUrl + mailedLink)
    await button(window, 'Sign in').click()
    await button(window, 'Continue without a password').click()
    await button(window, 'Yes, continue').click()
    await heading(window, 'Which one?').waitFor()
    const choices = link(window, /^Choose/)
    await expect.poll(() => choices.count()).toBe(2)
    await choices.first().click()
    await row(window, 'Bitcoin (BTC)').getByText('Replaces').waitFor()
    await row(window, 'Bitcoin (BTC)').getByText(otherBitcoin).waitFor()
    await row(window, 'Ethereum (ETH)').getByText('Unchanged').waitFor()
    // The stored data of the visit is used up.
    const entries = await window.evaluate(() => Object.keys(localStorage).sort())
    expect(entries).toEqual(['account', 'asked-links'])
    await button(window, 'Save this address').click()
    expect(await readCallback(window)).toEqual({ from: 'directory', eid: id, action: 'connect' })
    expect(await recordsOf(id)).toContain(bitcoin)
    expect(await recordsOf(id)).not.toContain(otherBitcoin)
    expect(await recordsOf(other)).not.toContain(bitcoin)

    // Another browser has none of the stored data that the link names.
    await page.evaluate(() => sessionStorage.clear())
    await visit(page, 'wallet-one/link-email', { continue: randomUUID() })
    await button(page, 'Yes, continue').click()
    await link(page, /^Choose/)
      .first()
      .click()
    await page.getByText('in the browser where you asked for the link').waitFor()
  })
})

describe('managing ids', () => {
  it('accepts a visitor with a token, and returns the same valid token (T41)', async () => {
    const page = await visitor()
    const anna = await newcomer(shop)
    const id = await grant(admin, { user_id: anna.id })
    const { refresh_token } = anna.tokens
    const referrers = referrersOf(page)
    const address_json = inBase64([{ '0x1003': `${bitcoin}|Savings` }, { '0x1004': ether }])
    await visit(page, 'wallet-one/manage', { refresh_token, address_json })
    await page.getByText('Wallet One sent you here as').waitFor()
    await page.getByRole('main').getByText(anna.email).waitFor()
    await assertTokenHidden(page, refresh_token, referrers)
    await button(page, 'Yes, continue').press('Enter')
    const list = page.getByRole('list', { name: 'Your emoji ids' })
    await expect.poll(() => hasFocus(list)).toBe(true)
    const itsPage = await link(page, /^Open its page/).getAttribute('href')
    expect(itsPage).toBe(`/${encodeURIComponent(id)}`)
    await assertDarkLooks(page)
    await link(page, /^Check addresses from Wallet One/).click()
    await row(page, 'Bitcoin (BTC)').getByText('Savings').waitFor()
    await row(page, 'Ethereum (ETH)').getByText('New').waitFor()
    await page.getByLabel('Ethereum (ETH)').uncheck()
    await assertTokenHidden(page, refresh_token, referrers)
    await button(page, 'Save this address').click()
    await page.getByText('Addresses saved.').waitFor()
    expect(await recordsOf(id)).toContain(`${bitcoin}|Savings`)
    expect(await recordsOf(id)).not.toContain(ether)
    await link(page, 'All your emoji ids').click()
    await list.waitFor()
    await button(page, 'Go back to Wallet One').click()
    await page.waitForURL(`${wallet}/back?*action=manage`)
    expect(await readCallback(page)).toEqual({ from: 'directory', refresh_token, action: 'manage' })
    expect((await shop.post('/api/auth/token/refresh', { refresh_token })).status).toBe(200)
    expect(referrers).toEqual([])
    expect(page.problems).toEqual([])
  })

  it('asks for an email address if the partner requires one, and opens the app', async () => {
    const page = await visitor()
    const email = newEmail()
    const alternate_id = `wallet-${email.slice(0, 12)}`
    const nameless = { email: null, alternate_id, source: 'Wallet Two' }
    const { tokens } = await register(shop, nameless)
    await visit(page, 'wallet-two/manage', { refresh_token: tokens.refresh_token })
    await page.getByRole('main').getByText(alternate_id).waitFor()
    await button(page, 'Yes, continue').click()
    await heading(page, 'Add your email address').waitFor()
    // The app made the password, so the visitor may not know it.
    expect(await page.getByLabel('Account password').count()).toBe(0)
    await page.getByLabel('Email address').fill(email)
    await button(page, 'Email me a link').click()
    await page.getByText(`We emailed a link to ${email}`).waitFor()
    await button(page, 'I’ve opened it').click()
    await page.getByRole('alert').getByText('isn’t confirmed yet').waitFor()
    // The link signs in, since everything that was set up before is revoked.
    await page.goto(shop.webUrl + (await shop.linkTo(email)))
    await button(page, 'Use this address').click()
    await button(page, 'Continue without a password').click()
    await page.getByText('This account has no emoji id yet.').waitFor()

    const answer = page.waitForResponse('**/partner/wallet-two/return')
    await button(page, 'Go back to Wallet Two').click()
    const { location } = await (await answer).json()
    expect(location).toMatch(/^wallettwo:\/\/done\?refresh_token=rt_[\w-]{43}&action=manage$/)
    const refresh_token = new URL(location).searchParams.get('refresh_token')
    expect((await shop.post('/api/auth/token/refresh', { refresh_token })).status).toBe(200)
    expect((await shop.post('/api/auth/token/refresh', tokens)).status).toBe(401)
    await page.getByText('Open Wallet Two yourself').waitFor()
  })
})
