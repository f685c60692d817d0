import { beforeAll, describe, expect, it } from 'vitest'
import { dayMs } from '../../src/platform/time.ts'
import { openBrowser, type TestPage } from '../support/browser.ts'
import { makeCode, redemptionCode } from '../support/codes.ts'
import { at, newId } from '../support/ids.ts'
import { goInApp } from '../support/in-app.ts'
import { insertPaidOrder } from '../support/paid-orders.ts'
import { goodPassword, type Person, registerAs } from '../support/people.ts'
import { type Site, sharedSite } from '../support/shared-site.ts'
import { buyer, type Order } from '../support/shop.ts'
import {
  assertDarkLooks,
  assertGoodLooks,
  openAs,
  waitForAnnouncement,
} from '../support/web-pages.ts'

const { newPage } = openBrowser()

let shop: Site
let admin: Person
beforeAll(async () => {
  shop = await sharedSite()
  admin = await registerAs(shop, 'Admin')
})

const button = (page: TestPage, name: string | RegExp) => page.getByRole('button', { name })
const heading = (page: TestPage, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name })
const orders = (page: TestPage) => page.getByRole('table', { name: 'Your orders' })
const rowOf = (page: TestPage, order: Order) =>
  orders(page).getByRole('row').filter({ hasText: order.order_number })

describe('orders', () => {
  it('orders are filtered by state, have a receipt, and can be refunded', async () => {
    const [page, anna] = [await newPage(), await buyer(shop)]
    const heldOrder = await anna.pending()
    await shop.pay(heldOrder)
    const order = await anna.until(heldOrder.id, 'Paid')
    const waitingOrder = await anna.pending()
    await openAs(shop, page, anna, '/account/orders')
    await page.getByText('1–2 of 2').waitFor()
    await rowOf(page, waitingOrder).getByText('Waiting for payment').waitFor()
    await rowOf(page, order).getByText('$4.00').waitFor()
    await assertDarkLooks(page)
    await page.getByLabel('State').selectOption('Paid')
    await page.getByText('1–1 of 1', { exact: true }).waitFor()
    await expect.poll(() => new URL(page.url()).searchParams.get('status')).toBe('Paid')

    await page.getByRole('link', { name: `Order ${order.order_number}` }).click()
    await heading(page, 'It’s yours').waitFor()
    const receipts = () =>
      shop.mailsTo(anna.email).filter(({ subject }) => subject?.includes(order.order_number))
    await expect.poll(() => receipts().length).toBe(1)
    await button(page, 'Resend the receipt').click()
    await page.getByText('The receipt is on its way.').waitFor()
    await expect.poll(() => receipts().length).toBe(2)
    await button(page, 'Make an invoice').click()
    await page.getByLabel('Company name').fill('Crab Works')
    await page.getByLabel('Tax id').fill('DE123456789')
    await assertGoodLooks(page)
    await page.evaluate(() => {
      window.print = () => document.body.setAttribute('data-printed', '')
    })
    await button(page, 'Print the invoice').click()
    await page.locator('body[data-printed]').waitFor()
    // The print has no frame and no dark background.
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    for (const text of [`Invoice ${order.order_number}`, 'Crab Works', 'Tax id: DE123456789']) {
      expect(await page.getByText(text, { exact: true }).isVisible()).toBe(true)
    }
    expect(await page.getByRole('button').count()).toBe(0)
    expect(await heading(page, /It’s yours|Refund/).count()).toBe(0)
    const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundImage)
    expect(ground).toBe('none')
    await page.emulateMedia({ media: null, colorScheme: 'light' })

    await button(page, 'Request a refund').click()
    const dialog = page.getByRole('dialog', { name: 'Request a refund?' })
    await dialog.getByLabel('Why?').fill('<b>I wanted another one</b>')
    await button(page, 'Send request').click()
    await page.getByRole('status').getByText('Request sent.').waitFor()
    await page.getByText('You requested a refund on').waitFor()
    const { data: requestedOrders } = (await admin.get('/api/orders?refund_requested=true')).json<{
      data: Order[]
    }>()
    const refund_request = '<b>I wanted another one</b>'
    expect(requestedOrders).toContainEqual(
      expect.objectContaining({ id: order.id, refund_request }),
    )
    await page.getByRole('link', { name: 'All your orders' }).click()
    await rowOf(page, order).getByText('Refund requested').waitFor()

    const reasonText = 'There is <i>no</i> better one'
    await admin.post(`/api/orders/${order.id}/refund_request/decline`, { reason: reasonText })
    await page.goto(`${shop.webUrl}/orders/${order.id}`)
    await page.getByText(reasonText).waitFor()
    await button(page, 'Request again').waitFor()

    await admin.post(`/api/orders/${order.id}/refund`, { reason: 'asked for it' })
    await shop.settle()
    await page.getByRole('link', { name: 'All your orders' }).click()
    await rowOf(page, order).getByText('Refunded').waitFor()
    expect(page.problems).toEqual([])
  })

  it('show items that are no longer owned, the end of the refund period, and the claim link', async () => {
    const [page, anna] = [await newPage(), await buyer(shop)]
    const [ownedId, gone] = [newId(), newId()]
    const order = await anna.order(await insertPaidOrder(shop, anna.id, [ownedId, gone]))
    await anna.delete(at(gone))
    await openAs(shop, page, anna, `/orders/${order.id}`)
    await heading(page, 'It’s yours').waitFor()
    const manage = page.getByRole('link', { name: /^Manage/ })
    expect(await manage.getAttribute('href')).toBe(`/account/ids/${encodeURIComponent(ownedId)}`)
    expect(await button(page, 'Save address').count()).toBe(1)
    await page.getByRole('heading', { name: 'Not refundable' }).waitFor()
    await page.getByText('You no longer own it.').waitFor()

    const inCoins = await anna.pending('CryptoCommerce')
    await shop.pay(inCoins)
    await anna.until(inCoins.id, 'Paid')
    await admin.post(`/api/orders/${inCoins.id}/refund`, { reason: 'asked for it' })
    await shop.settle()
    const [refund] = (await anna.get(`/api/orders/${inCoins.id}/refunds`)).json<
      { claim_url: string }[]
    >()
    await goInApp(page, `/orders/${inCoins.id}`)
    const claim = page.getByRole('link', { name: 'Enter an address' })
    expect(await claim.getAttribute('href')).toBe(refund?.claim_url)
    expect(await claim.getAttribute('rel')).toBe('noreferrer')
    await heading(page, 'Refunded').waitFor()
    await page.getByText('Ready to claim').waitFor()

    const oldOrder = await anna.order(await insertPaidOrder(shop, anna.id, [newId()]))
    await shop.db
      .updateTable('orders')
      .set({ paid_at: new Date(Date.now() - 20 * dayMs) })
      .where('id', '=', oldOrder.id)
      .execute()
    await goInApp(page, `/orders/${oldOrder.id}`)
    await heading(page, `Order ${oldOrder.order_number}`).waitFor()
    await page.getByText('The 14-day refund period ended on').waitFor()
    expect(await button(page, 'Request a refund').count()).toBe(0)
    expect(page.problems).toEqual([])
  })
})

describe('saved cards', () => {
  it('saved cards are selected in the checkout, the default first, and are removed', async () => {
    const [page, anna] = [await newPage(), await buyer(shop)]
    const urls = { success_url: `${shop.webUrl}/`, cancel_url: `${shop.webUrl}/` }
    for (const card of ['visa_asked_later', 'mastercard']) {
      await anna.add(newId())
      const order = await anna.checkout('CardCheckout', urls)
      await shop.pay(order, { card, keep_card: true })
      await anna.until(order.id, 'Paid')
    }
    const code = await makeCode(admin, redemptionCode({ discount_as_percentage: 50 }))
    const { id } = await anna.add(newId())
    await openAs(shop, page, anna, '/account/payment-methods')
    await button(page, /^Make default ?: Visa/).click()
    const visa = page.getByRole('row', { name: /^Visa ending in 3184/ })
    await visa.getByText('Default', { exact: true }).waitFor()
    await assertDarkLooks(page)

    await goInApp(page, '/cart')
    await button(page, 'Check out').click()
    const codes = page.getByRole('list', { name: 'Codes on your order' })
    await page.getByLabel('Promo code').fill(String(code.redemption_code))
    await button(page, 'Apply code').click()
    await codes.getByText(String(code.redemption_code)).first().waitFor()
    await codes.getByText('−$2.00').waitFor()
    await codes.getByRole('button', { name: /^Remove/ }).click()
    await codes.waitFor({ state: 'detached' })
    expect((await anna.cart()).total_in_cents).toBe(400)

    expect(await page.getByLabel('Visa ending in 3184 (default)').isChecked()).toBe(true)
    await button(page, 'Pay with another card').waitFor()
    await button(page, 'Pay with Visa ending in 3184').click()
    await page.getByText('Your bank asks you to confirm this payment. Confirm it?').waitFor()
    await button(page, 'No').click()
    await heading(page, 'Nothing was charged').waitFor()
    await page.getByRole('link', { name: 'Back to payment' }).click()
    await page.getByLabel('Mastercard ending in 4444').check()
    await button(page, 'Pay with Mastercard ending in 4444').click()
    await heading(page, 'It’s yours').waitFor()
    expect((await anna.order(id)).status).toBe('Paid')

    await goInApp(page, '/account/payment-methods')
    await visa.getByRole('button', { name: /^Remove/ }).click()
    const dialog = page.getByRole('dialog', { name: /^Remove Visa ending in/ })
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await waitForAnnouncement(page, 'Visa ending in 3184 removed.')
    await visa.waitFor({ state: 'detached' })
    expect(page.problems.filter((text) => !text.includes('424'))).toEqual([])
  })
})

describe('the sales of an organization', () => {
  it('the sales of an organization are visible to power roles, with fees and without buyers', async () => {
    const [page, anna, seller] = [await newPage(), await buyer(shop), await buyer(shop)]
    const terms = { name: 'Crabs', client_fee_percent: 25 }
    const organization = await admin.post('/api/admin/organizations', terms)
    const organization_id = organization.json<{ id: string }>().id
    const member = `/api/admin/organizations/${organization_id}/members/${seller.id}`
    expect((await admin.put(member, { role: 'OrgController' })).status).toBe(200)
    await anna.post('/api/cart', { items: [{ emoji_id: newId() }], organization_id })
    const pending = await anna.checkout('CardCheckout')
    await shop.pay(pending)
    const order = await anna.until(pending.id, 'Paid')

    await openAs(shop, page, seller, '/account/sales')
    await page.getByRole('link', { name: 'Sales' }).waitFor()
    const table = page.getByRole('table', { name: 'Sales' })
    const row = table.getByRole('row').filter({ hasText: order.order_number })
    await row.getByText('$5.00').waitFor()
    await row.getByText('$1.00').waitFor()
    await page.getByRole('region', { name: 'Totals of these sales' }).getByText('$1.00').waitFor()
    expect(await page.getByText(anna.email).count()).toBe(0)
    await assertDarkLooks(page)
    await page.getByLabel('Order number').fill(anna.email)
    await page.getByText('No matching sales.').waitFor()
    expect(page.problems).toEqual([])
  })
})

// The sessions of the other tests end here.
describe('a refund to claim', () => {
  it('a refund to claim shows its link after a new sign-in', async () => {
    const [page, anna] = [await newPage(), await buyer(shop, { password: goodPassword })]
    const order = await anna.pending('CryptoCommerce')
    await shop.pay(order)
    await anna.until(order.id, 'Paid')
    await admin.post(`/api/orders/${order.id}/refund`, { reason: 'asked for it' })
    await shop.settle()
    await openAs(shop, page, anna, '/account')
    shop.clock.advance(16 * 60_000)
    await goInApp(page, `/orders/${order.id}`)
    await button(page, 'Claim your refund').click()
    await page.getByLabel('Your password').fill(goodPassword)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Enter an address' }).waitFor()
    expect(page.problems.filter((text) => !/40[13]/.test(text))).toEqual([])
  })
})
