import { beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, type TestPage } from '../support/browser.ts'
import { at, newId, proofOf } from '../support/ids.ts'
import { insertPaidOrder } from '../support/paid-orders.ts'
import { goodPassword, newcomer, press } from '../support/people.ts'
import { keyPair } from '../support/schnorr.ts'
import { legalLinks, type Site, sharedSite } from '../support/shared-site.ts'
import { buyer, type Order } from '../support/shop.ts'
import { assertDarkLooks, assertGoodLooks, hasFocus, openAs, tabTo } from '../support/web-pages.ts'

const { newPage } = openBrowser()

let shop: Site
beforeAll(async () => {
  shop = await sharedSite()
})

const bitcoin = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const otherBitcoin = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'
const dollars = (cents: number): string => `$${(cents / 100).toFixed(2)}`
const addressOf = async (id: string) => (await shop.get(at(id, '/BTC'))).body
const button = (page: TestPage, name: string | RegExp) => page.getByRole('button', { name })
const heading = (page: TestPage, name: string) => page.getByRole('heading', { level: 1, name })

/** Counts the write requests of the page. */
function sentBy(page: TestPage) {
  const requests: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') requests.push(new URL(request.url()).pathname)
  })
  const isAt = (path: string) => (one: string) => `${one}/`.startsWith(`/api${path}/`)
  return (path: string) => requests.filter(isAt(path)).length
}

/** Takes a buyer to the checkout of a new id. */
async function atCheckout(page: TestPage) {
  const [anna, id] = [await buyer(shop), newId()]
  await anna.add(id)
  await openAs(shop, page, anna, '/cart')
  await button(page, 'Check out').click()
  await page.waitForURL('**/checkout')
  return { anna, id }
}

describe('buying an id', () => {
  it('goes from the cart of a new account to a public address, by keyboard', async () => {
    const page = await newPage()
    const [anna, id] = [await newcomer(shop, { password: goodPassword }), newId()]
    await anna.post('/api/cart', { items: [{ emoji_id: id }] })
    const countRequests = sentBy(page)
    await openAs(shop, page, anna, '/cart')
    await page.getByRole('link', { name: 'Cart 1 item' }).waitFor()
    await tabTo(page, 'Check out')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('Your address isn’t confirmed yet').waitFor()
    const requestLocator = page.getByRole('region', { name: 'Confirm your email address first' })
    await expect.poll(() => hasFocus(requestLocator)).toBe(true)
    await button(page, 'Resend the link').click()
    const confirmationAnswer = await press(shop, await shop.linkTo(anna.email))
    expect(confirmationAnswer.body).toContain(
      `href="${shop.webUrl}/cart">Continue to your cart</a>`,
    )

    await button(page, 'Check out').dblclick()
    await heading(page, 'Checkout').waitFor()
    await page.waitForURL(`${shop.webUrl}/checkout`)
    await page.getByLabel('Promo code').fill('no-such-code')
    await button(page, 'Apply code').click()
    await page.getByText('This code is not valid.').waitFor()
    await page.getByLabel('Promo code').fill('')
    await page.keyboard.type('welcome')
    await page.keyboard.press('Enter')
    await page.getByText('Nothing is left to pay.').waitFor()
    await tabTo(page, 'Get it now')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')

    await heading(page, 'It’s yours').waitFor()
    // A double click checks out once; the first checkout was rejected.
    expect(countRequests('/cart/checkout')).toBe(3)
    await tabTo(page, 'Address')
    await page.keyboard.type('not an address')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    const address = page.getByRole('textbox', { name: 'Address' })
    await address.fill('')
    await page.keyboard.type(bitcoin)
    await page.keyboard.press('Enter')
    await page.getByText('Saved. Payers in BTC').waitFor()
    expect(await addressOf(id)).toContain(bitcoin)
    await address.fill(otherBitcoin)
    await button(page, 'Save address').click()
    await page.getByText('Not saved. Payers in BTC').waitFor()
    await page.getByRole('alert').getByText(bitcoin).waitFor()
    const editor = page.getByRole('link', { name: 'Edit addresses' })
    expect(await editor.getAttribute('href')).toBe(`/account/ids/${encodeURIComponent(id)}`)
    expect(await addressOf(id)).not.toContain(otherBitcoin)
    const link = page.getByRole('link', { name: 'Open its page' })
    expect(await link.getAttribute('href')).toBe(`/${encodeURIComponent(id)}`)
    expect(await page.getByRole('link', { name: 'Cart', exact: true }).count()).toBe(1)
  })

  it('buying an id is paid by card after the hold lapsed, and does not ask again while the payment is pending', async () => {
    const page = await newPage()
    const { anna, id } = await atCheckout(page)
    await expect.poll(() => page.getByRole('timer').textContent()).toMatch(/^[0-5]:\d\d$/)
    const terms = page.getByRole('link', { name: 'terms (opens in a new tab)', exact: true })
    expect(await terms.getAttribute('href')).toBe(legalLinks.TERMS_URL)
    shop.clock.advance(6 * 60_000)
    const over = page.getByRole('alert').getByText('Your ids are no longer held')
    await over.waitFor()
    await button(page, 'Check out again').click()
    await page.getByRole('timer').waitFor()
    await button(page, 'Change cart').click()
    await page.waitForURL('**/cart')
    await button(page, 'Check out').click()
    await button(page, 'Pay by card').click()
    await page.getByRole('link', { name: 'Cancel and go back' }).click()
    await button(page, 'Pay by card').click()
    await button(page, 'Pay with a delayed settlement').click()
    await page.waitForURL('**/orders/*')
    await page.getByText('We’ve seen your payment.').waitFor()
    await page.getByRole('link', { name: 'Go to checkout' }).click()
    await page.getByText('Your payment is on its way').waitFor()
    expect(await button(page, /^Pay|Change cart/).count()).toBe(0)
    expect(await page.getByRole('timer').count()).toBe(0)
    const { payment_intent } = await shop.cards<{ payment_intent: string }>(
      `/checkout/sessions/${(await anna.cart()).payment_method_data?.session_id}`,
    )
    await shop.atProvider(`/intents/${payment_intent}/settle`)
    await heading(page, 'It’s yours').waitFor()
    expect(await shop.ownerOf(id)).toBe(anna.id)
    expect(page.problems).toEqual([])
  })

  it('buying an id is paid with cryptocurrency in parts, and the page updates with each', async () => {
    const page = await newPage()
    const { anna, id } = await atCheckout(page)
    await button(page, 'Pay with cryptocurrency').click()
    await page.getByRole('img', { name: 'QR code of the payment in Bitcoin' }).waitFor()
    const order = await anna.cart()
    const [bitcoins] = order.payment_method_data?.methods ?? []
    await page.getByText(bitcoins?.address ?? '', { exact: true }).waitFor()
    const dueIn = (cart: Order) => cart.payment_method_data?.methods[0]?.amount ?? 0
    await shop.pay(order, { percent: 50 })
    const receivedStatus = page.getByRole('status').filter({ hasText: 'Received so far:' })
    await receivedStatus.waitFor()
    const remainingOrder = await anna.cart()
    expect(remainingOrder.remaining_due_in_cents).toBe(order.total_in_cents / 2)
    await receivedStatus.getByText(dollars(order.total_in_cents / 2)).waitFor()
    await page.getByText(`Left to pay${dollars(remainingOrder.remaining_due_in_cents)}`).waitFor()
    expect(dueIn(remainingOrder)).toBeLessThan(dueIn(order))
    await page.getByText(`${dueIn(remainingOrder)} BTC`).waitFor()
    expect(await button(page, 'Pay by card').count()).toBe(1)
    // A partial payment does not extend the hold.
    expect(await page.getByRole('timer').count()).toBe(1)
    await page.getByLabel('Monero').check()
    await page.getByText('XMR', { exact: false }).first().waitFor()
    await page.getByText('Monero and LNURL refunds are sent by hand').waitFor()
    await assertGoodLooks(page)
    const invoice = page.getByRole('link', { name: 'Open invoice' })
    expect(await invoice.getAttribute('href')).toBe(order.payment_method_data?.checkout_url)
    await shop.pay(order)
    await heading(page, 'It’s yours').waitFor()
    expect(await shop.ownerOf(id)).toBe(anna.id)
    expect(page.problems).toEqual([])
  })
})

describe('a cart', () => {
  it('marks ids that are taken or in another checkout', async () => {
    const [page, anna, ben] = [await newPage(), await buyer(shop), await buyer(shop)]
    const [takenId, heldId, freeId] = [newId(), newId(), newId()]
    const cart = await anna.add(takenId, heldId, freeId)
    await insertPaidOrder(shop, ben.id, [takenId])
    await ben.pending('CardCheckout', [heldId])
    await openAs(shop, page, anna, '/cart')
    await button(page, 'Check out').click()
    const items = page.getByRole('listitem')
    const wrong = items.filter({ hasText: 'This id is no longer available.' })
    await wrong.waitFor()
    await assertDarkLooks(page)
    // A taken id costs nothing.
    const others = cart.order_items.filter(({ emoji_id }) => emoji_id !== takenId)
    const total = others.reduce((sum, { unit_price_in_cents }) => sum + unit_price_in_cents, 0)
    await page.getByText(`Total${dollars(total)}`).waitFor()
    await page.getByRole('alert').getByRole('img', { name: 'emoji id:' }).waitFor()
    await wrong.getByRole('button', { name: /^Remove/ }).click()
    await expect.poll(() => items.count()).toBe(2)
    await button(page, 'Check out').click()
    await items.getByText('Another buyer is paying for this id.').waitFor()
  })
})

describe('the key of the bought ids', () => {
  it('the key of the bought ids is chosen in the checkout, and proven there if it is only listed', async () => {
    const page = await newPage()
    const { anna, id } = await atCheckout(page)
    expect(await page.getByLabel('Key of the ids').count()).toBe(0)
    const key = keyPair()
    expect((await anna.post(`/api/pubkeys/${key.pubkey}`)).status).toBe(200)
    await page.reload()
    await page.getByLabel('Key of the ids').selectOption(key.pubkey)
    await page.getByText('This key isn’t proven yet.').waitFor()
    await button(page, 'Pay by card').click()
    await page.getByText('This key is listed, but not proven.').waitFor()
    await assertGoodLooks(page)
    await button(page, 'Prove this key').click()
    const claim = `The key ${key.pubkey} belongs to the account ${anna.id}.`
    const { nonce, signature } = key.sign('emojid/pubkey-proof/v1', claim)
    await page.getByLabel('R of the signature').fill(nonce)
    await page.getByLabel('s of the signature').fill(signature)
    await button(page, 'Prove it').click()
    await page.getByText('This key isn’t proven yet.').waitFor({ state: 'detached' })
    await page.getByLabel('Promo code').fill('welcome')
    await button(page, 'Apply code').click()
    await button(page, 'Get it now').click()
    await heading(page, 'It’s yours').waitFor()
    expect((await proofOf(shop, id)).pubkey).toBe(key.pubkey)
    expect(page.problems.filter((text) => !text.includes('422'))).toEqual([])
  })
})
