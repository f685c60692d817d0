import { beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, type TestPage } from '../support/browser.ts'
import { at, newId } from '../support/ids.ts'
import { goInApp } from '../support/in-app.ts'
import { insertPaidOrder } from '../support/paid-orders.ts'
import {
  assertTokenHidden,
  readCallback,
  referrersOf,
  wallet,
  withWallet,
} from '../support/partner-pages.ts'
import { newcomer, type Person, registerAs } from '../support/people.ts'
import { type Site, sharedSite } from '../support/shared-site.ts'
import { openAs } from '../support/web-pages.ts'

const { newPage } = openBrowser()

const bitcoin = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const attack = `"'></title><script>alert(1)</script><svg onload=alert(2)><img src=x onerror=alert(3)>`

let shop: Site
let admin: Person
beforeAll(async () => {
  shop = await sharedSite()
  admin = await registerAs(shop, 'Super')
  await addPartner('wallet-three', 'Wallet Three')
  await addPartner('hostile', attack)
})

async function addPartner(partner_path: string, name: string) {
  const organization = await admin.post('/api/admin/organizations', { name, partner_path })
  expect(organization.status).toBe(200)
  const set = await admin.put(`/api/organizations/${partner_path}/branding`, {
    currencies: ['BTC'],
    return_link: `${wallet}/back`,
    logo_small: `${wallet}/logo.svg?"onerror="alert(4)`.replaceAll('"', '%22'),
  })
  expect(set.status).toBe(200)
}

const button = (page: TestPage, name: string | RegExp) => page.getByRole('button', { name })
const heading = (page: TestPage, name: string | RegExp) => page.getByRole('heading', { name })
const link = (page: TestPage, name: string | RegExp) => page.getByRole('link', { name })
const inBase64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const visitor = async () => withWallet(await newPage())
const visit = (page: TestPage, path: string, query: Record<string, string> = {}) =>
  page.goto(`${shop.webUrl}/partner/${path}?${new URLSearchParams(query)}`)

describe('a token from a partner (T120)', () => {
  it('a token from a partner (T120) does not sign a visitor out or switch the account by a link', async () => {
    const page = await visitor()
    const [anna, mallory] = [await newcomer(shop), await newcomer(shop)]
    const { refresh_token } = mallory.tokens
    const query = new URLSearchParams({ refresh_token, addresses: `0x1003=${bitcoin}` })
    const referrers = referrersOf(page)
    await openAs(shop, page, anna, `/partner/wallet-three?${query}`)
    await page.getByRole('main').getByText(mallory.email).waitFor()
    await page.getByRole('navigation').getByText(anna.email).waitFor()
    await assertTokenHidden(page, refresh_token, referrers)
    await button(page, 'Not you? Use another account').click()
    await page.getByText('You are signed in here as').waitFor()
    await page.getByRole('main').getByText(anna.email).waitFor()
    await link(page, /^Cart/).click()
    await heading(page, 'Your cart').waitFor()
    await page.getByRole('navigation').getByText(anna.email).waitFor()
    await button(page, 'Go back to Wallet Three').click()
    expect(await readCallback(page)).toEqual({ action: 'create' })
    expect(page.problems).toEqual([])
  })
})

/** No script ran, and no text became markup. */
async function assertHarmless(page: TestPage) {
  const traces = await page.evaluate(
    () => document.querySelectorAll('main script, main svg[onload], [onerror], [src="x"]').length,
  )
  expect(traces).toBe(0)
  expect(page.problems).toEqual([])
}

it('the partner page shows foreign input as text, from the partner name to the addresses (T104)', async () => {
  const page = await visitor()
  const [anna, id] = [await newcomer(shop, { isVerified: true }), newId()]
  const orderId = await insertPaidOrder(shop, anna.id, [id])
  const { refresh_token } = anna.tokens
  const address_json = inBase64([
    { '0x1003': `${bitcoin}|${attack}` },
    { [attack]: attack },
    { '0x1004': `<img src=x onerror=alert(6)>|${attack}` },
  ])
  const more = { addresses: `${attack}=${attack}|javascript:alert(7)`, address_json }
  await visit(page, 'hostile', { refresh_token, eid: id, ...more })
  await page.getByText(`${attack} sent you here as`).waitFor()
  await assertHarmless(page)
  await button(page, 'Yes, continue').click()
  await heading(page, 'You already own this one').waitFor()
  await goInApp(page, '/cart')
  await page.getByRole('region', { name: attack }).waitFor()
  await goInApp(page, `/orders/${orderId}`)
  await heading(page, 'It’s yours').waitFor()
  await page.getByText(`${attack} sent addresses.`).waitFor()
  await assertHarmless(page)
  await link(page, /^Continue/).click()
  await heading(page, 'Check the addresses').waitFor()
  const row = page.getByRole('listitem').filter({ hasText: 'Bitcoin (BTC)' })
  // The name is truncated to the length of a record.
  await row.getByText(attack.slice(0, 60)).waitFor()
  await heading(page, 'Couldn’t be read').waitFor()
  await assertHarmless(page)
  await button(page, 'Save this address').click()
  expect(await readCallback(page)).toEqual({ eid: id, refresh_token, action: 'create' })

  const data = { data: { title: attack, text: attack, links: ['javascript:alert(5)'] } }
  expect((await anna.post(at(id, '/json/SvcPageData'), data)).status).toBe(200)
  await visit(page, 'hostile/manage', { refresh_token, eid: attack })
  await button(page, 'Yes, continue').click()
  await page.getByRole('list', { name: 'Your emoji ids' }).waitFor()
  await assertHarmless(page)
})
