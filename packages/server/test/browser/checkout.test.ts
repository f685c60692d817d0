import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, type TestPage } from '../support/browser.ts'
import { at, newId } from '../support/ids.ts'
import { goodPassword, newEmail, register } from '../support/people.ts'
import { type Buyer, buyer, shopService } from '../support/shop.ts'
import { assertGoodLooks, openAs, tabTo } from '../support/web-pages.ts'

const { newPage } = openBrowser()

type Shop = Awaited<ReturnType<typeof shopService>>
let shop: Shop
beforeAll(async () => {
  shop = await shopService({}, { reachable: true })
})
afterAll(() => shop?.close())

const bitcoin = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const addressOf = async (id: string) => (await shop.get(at(id, '/BTC'))).body
const button = (page: TestPage, name: string | RegExp) => page.getByRole('button', { name })
const heading = (page: TestPage, name: string) => page.getByRole('heading', { level: 1, name })

/** Somebody at the checkout of a new id. */
async function atCheckout(page: TestPage, person?: Buyer) {
  const anna = person ?? (await buyer(shop))
  const id = newId()
  await anna.add(id)
  await openAs(shop, page, anna, '/cart')
  await button(page, 'Check out').click()
  await page.waitForURL('**/checkout')
  return { anna, id }
}

describe('buying an id', () => {
  it('goes from registering to an address that everybody finds', { timeout: 60_000 }, async () => {
    const page = await newPage()
    const [email, id] = [newEmail(), newId()]
    await page.goto(`${shop.webUrl}/cart?add=${encodeURIComponent(id)}`)
    await page.getByRole('link', { name: 'Create an account' }).click()
    await page.getByLabel('E-mail address').fill(email)
    await page.getByLabel('Password').fill(goodPassword)
    await button(page, 'Create the account').click()

    await heading(page, 'Your cart').waitFor()
    await page.getByRole('img', { name: 'emoji id:' }).waitFor()
    expect(new URL(page.url()).search).toBe('')
    await page.getByRole('link', { name: 'Cart 1 item' }).waitFor()
    await button(page, 'Check out').click()
    await page.getByRole('alert').getByText('Confirm your e-mail address first').waitFor()
    await button(page, 'Mail the link again').click()
    await page.getByText('The mail is on its way').waitFor()
    await assertGoodLooks(page)
    const mailbox = await newPage()
    await mailbox.goto(shop.webUrl + (await shop.linkTo(email, 2)))
    await mailbox.getByRole('button', { name: 'Yes' }).click()
    await mailbox.getByRole('heading', { name: 'Thank you' }).waitFor()

    await button(page, 'Check out').click()
    await heading(page, 'Checkout').waitFor()
    await page.getByLabel('Promo code').fill('no-such-code')
    await button(page, 'Use the code').click()
    await page.getByText('This code is not valid.').waitFor()
    await page.getByLabel('Promo code').fill('welcome')
    await button(page, 'Use the code').click()
    await page.getByText('Nothing is left to pay.').waitFor()
    await button(page, 'Get it now').click()

    await heading(page, 'It is yours').waitFor()
    await page.getByRole('textbox', { name: 'Address' }).fill('not an address')
    await button(page, 'Save the address').click()
    await page.getByRole('alert').waitFor()
    await assertGoodLooks(page)
    await page.getByRole('textbox', { name: 'Address' }).fill(bitcoin)
    await button(page, 'Save the address').click()
    await page.getByText('Saved: whoever pays this id in BTC').waitFor()
    expect(await addressOf(id)).toContain(bitcoin)
    const link = page.getByRole('link', { name: 'Open its page' })
    expect(await link.getAttribute('href')).toBe(`/${encodeURIComponent(id)}`)
    expect(await page.getByRole('link', { name: 'Cart', exact: true }).count()).toBe(1)
  })

  it('is paid by card at the provider’s page', async () => {
    const page = await newPage()
    const { anna, id } = await atCheckout(page)
    await assertGoodLooks(page)
    await button(page, 'Pay by card').click()
    await page.waitForURL('**/pay/session/**')
    await page.getByRole('link', { name: 'Cancel and go back' }).click()
    await button(page, 'Pay by card').click()
    await page.waitForURL('**/pay/session/**')
    await page.getByRole('button', { name: 'Pay', exact: true }).click()
    await page.waitForURL('**/orders/*')
    await heading(page, 'It is yours').waitFor()
    expect(await shop.ownerOf(id)).toBe(anna.id)
    expect(page.problems).toEqual([])
  })

  it('is paid with cryptocurrency, and the page notices', async () => {
    const page = await newPage()
    const { anna, id } = await atCheckout(page)
    await button(page, 'Pay with cryptocurrency').click()
    await page.getByRole('img', { name: 'QR code of the payment in Bitcoin' }).waitFor()
    const [bitcoins] = (await anna.cart()).payment_method_data?.methods ?? []
    await page.getByText(bitcoins?.address ?? '', { exact: true }).waitFor()
    await page.getByLabel('Monero').check()
    await page.getByText('XMR', { exact: false }).first().waitFor()
    await assertGoodLooks(page)
    const wallet = page.context().waitForEvent('page')
    await page.getByRole('link', { name: 'Open the invoice' }).click()
    await (await wallet).getByRole('button', { name: 'Pay what is due' }).click()
    await heading(page, 'It is yours').waitFor()
    expect(await shop.ownerOf(id)).toBe(anna.id)
    expect(page.problems).toEqual([])
  })

  it('works with the keyboard alone', async () => {
    const page = await newPage({ reducedMotion: true })
    const anna = await buyer(shop)
    const id = newId()
    await anna.add(id)
    await openAs(shop, page, anna, '/cart')
    await heading(page, 'Your cart').waitFor()
    await tabTo(page, 'Check out')
    await page.keyboard.press('Enter')
    await heading(page, 'Checkout').waitFor()
    await tabTo(page, 'Promo code')
    await page.keyboard.type('WELCOME')
    await page.keyboard.press('Enter')
    await page.getByText('Nothing is left to pay.').waitFor()
    await tabTo(page, 'Get it now')
    await page.keyboard.press('Enter')
    await heading(page, 'It is yours').waitFor()
    await tabTo(page, 'Address')
    await page.keyboard.type(bitcoin)
    await page.keyboard.press('Enter')
    await page.getByText('Saved: whoever pays').waitFor()
    expect(await addressOf(id)).toContain(bitcoin)
    expect(page.problems).toEqual([])
  })
})

describe('a cart', () => {
  it('says what is wrong with an id that somebody else got or is getting', async () => {
    const [page, anna, ben] = [await newPage(), await buyer(shop), await buyer(shop)]
    const [taken, held] = [newId(), newId()]
    await anna.add(taken, held)
    await ben.pending('CardCheckout', [taken])
    await ben.promo('WELCOME')
    await ben.checkout('Free')
    await ben.pending('CardCheckout', [held])
    await openAs(shop, page, anna, '/cart')
    await button(page, 'Check out').click()
    const items = page.getByRole('listitem')
    const wrong = items.filter({ hasText: 'Somebody owns this id now.' })
    await assertGoodLooks(page)
    await wrong.getByRole('button', { name: /^Remove/ }).click()
    await expect.poll(() => items.count()).toBe(1)
    await button(page, 'Check out').click()
    await items.getByText('Somebody else is paying for this id right now.').waitFor()
    await button(page, /^Remove/).click()
    await page.getByText('Nothing is in it yet.').waitFor()
    await assertGoodLooks(page)
  })

  it('is a draft again when its time is over, and can be held once more', async () => {
    const page = await newPage()
    await atCheckout(page)
    await page.getByRole('timer').waitFor()
    expect(await page.getByRole('timer').textContent()).toMatch(/^[45]:\d\d$/)
    const spoken = page.getByRole('status').filter({ hasText: 'Less than 5 minutes' })
    expect(await spoken.count()).toBe(1)
    shop.clock.advance(6 * 60_000)
    await page.getByRole('alert').getByText('The ids are not held any more').waitFor()
    await assertGoodLooks(page)
    await button(page, 'Check out again').click()
    await page.getByRole('timer').waitFor()
    await button(page, 'Change the cart').click()
    await page.waitForURL('**/cart')
    await button(page, /^Remove/).waitFor()
    expect(page.problems).toEqual([])
  })

  it('asks who is not signed in to do so, and an order of somebody else is not there', async () => {
    const page = await newPage()
    await page.goto(`${shop.webUrl}/cart`)
    await page.getByText('This is yours alone').waitFor()
    await assertGoodLooks(page)
    const { id } = await (await buyer(shop)).cart()
    await openAs(shop, page, await register(shop), `/orders/${id}`)
    await page.getByRole('alert').getByText('There is no such order.').waitFor()
  })
})
