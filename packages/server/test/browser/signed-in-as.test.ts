import { afterAll, beforeAll, expect, it } from 'vitest'
import { openBrowser, type TestPage } from '../support/browser.ts'
import { newId } from '../support/ids.ts'
import { goInApp } from '../support/in-app.ts'
import { newEmail, press, register, submit } from '../support/people.ts'
import { type Buyer, buyer, shopService } from '../support/shop.ts'
import { assertGoodLooks, openAs } from '../support/web-pages.ts'

const { newPage } = openBrowser()

let shop: Awaited<ReturnType<typeof shopService>>
beforeAll(async () => {
  shop = await shopService({}, { reachable: true })
})
afterAll(() => shop?.close())

const button = (page: TestPage, name: string) => page.getByRole('button', { name, exact: true })
const shownAs = (page: TestPage, email: string) => page.getByRole('navigation').getByText(email)

/** Somebody without a password, and the code that their mailed link brings to the web site. */
async function withCode() {
  const email = newEmail()
  await register(shop, { email, password: null })
  const choice = await press(shop, await shop.linkTo(email))
  const token = /name="token" value="([^"]+)"/.exec(choice.body)?.[1] ?? ''
  const next = await submit(shop, '/auth/first_password/skip', { token })
  const code = new URL(next.headers.get('location') ?? '').searchParams.get('code') ?? ''
  expect(code).toMatch(/^[\w-]{43}$/)
  return { email, code }
}

it('a link with the code of somebody else signs nobody in, or in as another, who did not say so', async () => {
  const page = await newPage()
  const { email, code } = await withCode()
  await page.goto(`${shop.webUrl}/cart?code=${code}`)
  await page.getByText('This link signs you in as').waitFor()
  await page.getByRole('main').getByText(email).waitFor()
  expect(page.url()).not.toContain(code)
  await assertGoodLooks(page)
  await button(page, 'No').click()
  await button(page, 'Sign in').waitFor()
  await goInApp(page, '/cart')
  await page.getByText('This is yours alone').waitFor()
  expect(await page.getByText(email).count()).toBe(0)

  const carol = await buyer(shop)
  const other = await withCode()
  await openAs(shop, page, carol, `/cart?code=${other.code}`)
  await page.getByText(`You are signed in as ${carol.email} now`).waitFor()
  await shownAs(page, carol.email).waitFor()
  await button(page, 'Sign in as this account').click()
  await shownAs(page, other.email).waitFor()
  expect(page.problems).toEqual([])
})

it('a window whose cookie became that of somebody else does nothing in their name, and shows whose it is', async () => {
  const cartOf = async (person: Buyer) => (await person.get('/api/cart')).json<{ status: string }>()
  const page = await newPage()
  const [carol, mallory] = [await buyer(shop), await buyer(shop)]
  for (const person of [carol, mallory]) await person.add(newId())
  await openAs(shop, page, carol, '/cart')
  await button(page, 'Check out').waitFor()
  const takeCookieOf = ({ tokens }: Buyer) =>
    page.evaluate(async (refresh_token) => {
      await fetch('/session', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ refresh_token }),
      })
    }, tokens.refresh_token)
  // Without a word to this window, as a browser does that has no channel between windows.
  await takeCookieOf(mallory)
  await button(page, 'Check out').click()
  await shownAs(page, mallory.email).waitFor()
  expect([await cartOf(carol), await cartOf(mallory)]).toMatchObject([
    { status: 'Draft' },
    { status: 'Draft' },
  ])

  // With the word that another window of the app gives.
  await takeCookieOf(carol)
  await page.evaluate(() => new BroadcastChannel('session').postMessage('changed'))
  await shownAs(page, carol.email).waitFor()
})

it('signing in leads on to no page but those of the app', async () => {
  const page = await newPage()
  await openAs(shop, page, await buyer(shop), '/cart')
  await page.getByRole('heading', { level: 1 }).waitFor()
  for (const next of ['/auth/authorize?client_id=x', '/%F0%9F%94%A5', '//example.com/']) {
    await goInApp(page, `/sign-in?next=${encodeURIComponent(next)}`)
    await button(page, 'Continue').click()
    await page.waitForURL(`${shop.webUrl}/`)
  }
})

it('puts nothing into a cart by a link that somebody else made', async () => {
  const page = await newPage()
  const [carol, id] = [await buyer(shop), newId()]
  await openAs(shop, page, carol, `/cart?add=${encodeURIComponent(id)}`)
  await button(page, 'Add to cart').waitFor()
  await assertGoodLooks(page)
  expect((await carol.cart()).order_items).toEqual([])
  await button(page, 'Add to cart').click()
  await button(page, 'Check out').waitFor()
  expect((await carol.cart()).order_items).toMatchObject([{ emoji_id: id }])
})

it('gives no handle to the window that opened it', async () => {
  const { status, headers } = await shop.get('/sign-in')
  expect([status, headers.get('cross-origin-opener-policy')]).toEqual([200, 'same-origin'])
})
