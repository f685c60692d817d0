import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { foreignPage, openBrowser, type TestPage } from '../support/browser.ts'
import { newId } from '../support/ids.ts'
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

describe('a link with the code of somebody else', () => {
  it('signs nobody in who did not say so', async () => {
    const page = await newPage()
    const { email, code } = await withCode()
    await page.goto(`${shop.webUrl}/cart?code=${code}`)
    await page.getByText('The link that you opened signs you in as').waitFor()
    await page.getByRole('main').getByText(email).waitFor()
    expect(page.url()).not.toContain(code)
    await assertGoodLooks(page)
    await button(page, 'No').click()
    await button(page, 'Sign in').waitFor()
    await page.goto(`${shop.webUrl}/cart`)
    await page.getByText('This is yours alone').waitFor()
    expect(await page.getByText(email).count()).toBe(0)
  })

  it('leaves who is signed in alone until they agree', async () => {
    const page = await newPage()
    const carol = await buyer(shop)
    const { email, code } = await withCode()
    await openAs(shop, page, carol, '/cart')
    await shownAs(page, carol.email).waitFor()
    await page.goto(`${shop.webUrl}/cart?code=${code}`)
    await page.getByText(`You are signed in as ${carol.email} now`).waitFor()
    await shownAs(page, carol.email).waitFor()
    await button(page, 'Sign in as this account').click()
    await shownAs(page, email).waitFor()
    expect(page.problems).toEqual([])
  })
})

describe('a window whose cookie became that of somebody else', () => {
  const cartOf = async (person: Buyer) => (await person.get('/api/cart')).json<{ status: string }>()

  it('does nothing in their name', async () => {
    const page = await newPage()
    const [carol, mallory] = [await buyer(shop), await buyer(shop)]
    for (const person of [carol, mallory]) await person.add(newId())
    await openAs(shop, page, carol, '/cart')
    await button(page, 'Check out').waitFor()
    // Without a word to this window, as a browser does that has no channel between windows.
    await page.evaluate(async (refresh_token) => {
      await fetch('/session', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ refresh_token }),
      })
    }, mallory.tokens.refresh_token)
    await button(page, 'Check out').click()
    await shownAs(page, mallory.email).waitFor()
    expect([await cartOf(carol), await cartOf(mallory)]).toMatchObject([
      { status: 'Draft' },
      { status: 'Draft' },
    ])
  })

  it('shows whose it is at once', async () => {
    const page = await newPage()
    const [carol, mallory] = [await buyer(shop), await buyer(shop)]
    await openAs(shop, page, carol, '/cart')
    await shownAs(page, carol.email).waitFor()
    const other = (await page.context().newPage()) as TestPage
    await openAs(shop, other, mallory, '/sign-in')
    await other.evaluate(() => new BroadcastChannel('session').postMessage('changed'))
    await shownAs(page, mallory.email).waitFor()
  })
})

it('signing in leads on to no page but those of the app', async () => {
  const page = await newPage()
  await openAs(shop, page, await buyer(shop), '/cart')
  for (const next of [
    ...['/auth/authorize?client_id=x', '/api/account', '/dev', '/%F0%9F%94%A5'],
    ...['//example.com/', 'https://example.com/', '/\\example.com'],
  ]) {
    await page.goto(`${shop.webUrl}/sign-in?next=${encodeURIComponent(next)}`)
    await button(page, 'Go on').click()
    await page.waitForURL(`${shop.webUrl}/`)
  }
})

it('puts nothing into a cart by a link that somebody else made', async () => {
  const page = await newPage()
  const [carol, id] = [await buyer(shop), newId()]
  await openAs(shop, page, carol, `/cart?add=${encodeURIComponent(id)}`)
  await button(page, 'Put it into the cart').waitFor()
  await assertGoodLooks(page)
  expect((await carol.cart()).order_items).toEqual([])
  await button(page, 'Put it into the cart').click()
  await button(page, 'Check out').waitFor()
  expect((await carol.cart()).order_items).toMatchObject([{ emoji_id: id }])
})

it('keeps no handle for the window that opened it', async () => {
  const page = await newPage()
  const { crossSite } = await foreignPage(
    `<a href="${shop.webUrl}/sign-in" target="_blank" rel="opener">go</a>`,
  )
  await page.goto(crossSite)
  const [opened] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: 'go' }).click(),
  ])
  await opened.getByRole('heading', { level: 1 }).waitFor()
  expect(await opened.evaluate(() => window.opener)).toBeNull()
})
