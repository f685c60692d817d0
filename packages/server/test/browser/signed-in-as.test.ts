import { beforeAll, expect, it } from 'vitest'
import { openBrowser, type TestPage } from '../support/browser.ts'
import { newId } from '../support/ids.ts'
import { goInApp } from '../support/in-app.ts'
import { newEmail, press, register, submit } from '../support/people.ts'
import { type Site, sharedSite } from '../support/shared-site.ts'
import { type Buyer, buyer } from '../support/shop.ts'
import { assertDarkLooks, openAs } from '../support/web-pages.ts'

const { newPage } = openBrowser()

let shop: Site
beforeAll(async () => {
  shop = await sharedSite()
})

const button = (page: TestPage, name: string) => page.getByRole('button', { name, exact: true })
const shownAs = (page: TestPage, email: string) => page.getByRole('navigation').getByText(email)

/** An account without a password, and the code of its emailed link. */
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

it('a link with the code of another account needs a confirmation to sign in', async () => {
  const page = await newPage()
  const { email, code } = await withCode()
  await page.goto(`${shop.webUrl}/cart?code=${code}`)
  await page.getByText('This link signs you in as').waitFor()
  await page.getByRole('main').getByText(email).waitFor()
  expect(page.url()).not.toContain(code)
  await assertDarkLooks(page)
  await button(page, 'No').click()
  await button(page, 'Sign in').waitFor()
  await goInApp(page, '/cart')
  await page.getByText('Sign in to see this page').waitFor()
  expect(await page.getByText(email).count()).toBe(0)

  const carol = await buyer(shop)
  const other = await withCode()
  await openAs(shop, page, carol, `/cart?code=${other.code}`)
  await page.getByText(`This signs you out as ${carol.email}.`).waitFor()
  await shownAs(page, carol.email).waitFor()
  await button(page, 'Sign in as this account').click()
  await shownAs(page, other.email).waitFor()
  expect(page.problems).toEqual([])
})

it('a window whose cookie changed to another account does not act for it, and shows the new account', async () => {
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
  // Without a message to this window, as in a browser without a broadcast channel.
  await takeCookieOf(mallory)
  await button(page, 'Check out').click()
  await shownAs(page, mallory.email).waitFor()
  expect([await cartOf(carol), await cartOf(mallory)]).toMatchObject([
    { status: 'Draft' },
    { status: 'Draft' },
  ])

  // Another window of the app sends this message.
  await takeCookieOf(carol)
  await page.evaluate(() => new BroadcastChannel('session').postMessage('changed'))
  await shownAs(page, carol.email).waitFor()
})

it('a foreign link does not add to the cart, and a sign-in continues only to pages of the app', async () => {
  const page = await newPage()
  const [carol, id] = [await buyer(shop), newId()]
  await openAs(shop, page, carol, `/cart?add=${encodeURIComponent(id)}`)
  await button(page, 'Add to cart').waitFor()
  expect((await carol.cart()).order_items).toEqual([])
  await button(page, 'Add to cart').click()
  await button(page, 'Check out').waitFor()
  expect((await carol.cart()).order_items).toMatchObject([{ emoji_id: id }])

  for (const next of ['/auth/authorize?client_id=x', '//example.com/', '/\\example.com']) {
    await goInApp(page, `/sign-in?next=${encodeURIComponent(next)}`)
    await button(page, 'Continue').click()
    await page.waitForURL(`${shop.webUrl}/`)
  }
  // The start page has its parts from the server, also after the sign-in page.
  await page.getByRole('heading', { name: 'A few emojis instead of an address' }).waitFor()
})

it('the app gives its opener no window handle', async () => {
  const { status, headers } = await shop.get('/sign-in')
  expect([status, headers.get('cross-origin-opener-policy')]).toEqual([200, 'same-origin'])
})
