import type { Page, Request } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { type TestService, testService } from '../support/service.ts'
import { bitcoin, createPayable, otherBitcoin, type Payable } from '../support/wallet.ts'
import { assertGoodLooks } from '../support/web-pages.ts'

// A browser cache must not decide where money goes.
const env = { LOOKUP_MAX_AGE: '20' }
let service: TestService
let newId: Payable['newId']
let setBitcoin: Payable['setBitcoin']
let edit: Payable['edit']
let client: Payable['client']
beforeAll(async () => {
  service = await testService({ reachable: true, env })
  ;({ newId, setBitcoin, edit, client } = await createPayable(service))
})
afterAll(() => service.close())
const { newPage } = openBrowser()

const open = async () => {
  const page = await newPage()
  await page.goto(`${service.webUrl}/dev/wallet`)
  await page.getByText('No saved contacts yet').waitFor()
  return page
}
const lookUp = async (page: Page, id: string) => {
  await page.getByLabel('To', { exact: true }).fill(id)
  await page.keyboard.press('Enter')
}
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const countPayments = (page: Page) => page.locator('#payments li').count()

it('the demo wallet explains ids it cannot pay, and pays by keyboard what the button says', async () => {
  const page = await open()
  // Without the feed: the check before the payment must find the change by itself.
  await page.route('**/api/events/watch', () => {})
  const field = page.getByLabel('To', { exact: true })
  const problem = page.locator('#problem')
  await lookUp(page, '🔥🈵')
  await expect.poll(() => problem.innerText()).toContain('This isn’t an emoji id')
  expect(await problem.innerText()).toContain('position 2: 🈵')
  expect(await field.getAttribute('aria-invalid')).toBe('true')
  await lookUp(page, '🐙🐙🐙🐙🐙')
  await expect.poll(() => problem.innerText()).toContain('🐙🐙🐙🐙🐙 isn’t registered')
  expect(await field.getAttribute('aria-invalid')).toBeNull()
  await page.getByLabel('Currency').selectOption('Monero (XMR)')
  const id = await newId()
  await lookUp(page, id)
  await expect.poll(() => problem.innerText()).toContain('Choose another currency')
  expect(await page.locator('.panel').count()).toBe(0)

  await page.getByLabel('Currency').selectOption('Bitcoin (BTC)')
  await lookUp(page, id)
  await page.getByRole('heading', { name: `Pay emoji id ${id}` }).waitFor()
  expect(await page.locator('.panel code').innerText()).toBe(bitcoin)
  expect(await page.getByRole('img', { name: /Code to scan/ }).isVisible()).toBe(true)
  const link = page.getByRole('link', { name: 'Open in another wallet' })
  expect(await link.getAttribute('href')).toBe(`bitcoin:${bitcoin}?amount=0.01`)
  expect(await countPayments(page)).toBe(0)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page
    .getByRole('status')
    .filter({ hasText: `Paid 0.01 BTC in play money to ${id}.` })
    .waitFor()
  expect(await page.locator('#payments li').innerText()).toContain(bitcoin)

  await lookUp(page, id)
  await button(page, 'Pay 0.01 BTC').waitFor()
  await setBitcoin(id, otherBitcoin)
  await button(page, 'Pay 0.01 BTC').click()
  await page.getByText(' just changed').waitFor()
  expect(await countPayments(page)).toBe(1)
  expect(await page.locator('.panel code').innerText()).toBe(otherBitcoin)

  // An edit drops the result; the payment matches the button.
  const panel = page.locator('.panel')
  const changes = [
    () => page.getByLabel('Amount').fill('5'),
    () => page.getByLabel('Currency').selectOption('Ether (ETH)'),
    () => field.fill(`${id} `),
  ]
  for (const change of changes) {
    await panel.waitFor()
    await change()
    await panel.waitFor({ state: 'detached' })
    await field.press('Enter')
  }
  await button(page, 'Pay 5 ETH').click()
  await page.getByText(`Paid 5 ETH in play money to ${id}.`).waitFor()
})

it('the demo wallet warns before it pays a contact whose address changed or is gone', async () => {
  const id = await newId()
  const page = await open()
  // Without the feed: the check before the payment must find the change by itself.
  await page.route('**/api/events/watch', () => {})
  await lookUp(page, id)
  await page.getByLabel('Name for your address book').fill('Anna')
  await button(page, 'Remember').click()
  await page.getByText('Anna is in your address book').waitFor()
  // Another visit keeps the contacts.
  await page.reload()
  await button(page, 'Pay Anna, BTC').click()
  await page.getByText('The same address as the saved one').waitFor()
  // Between lookup and payment.
  await setBitcoin(id, otherBitcoin)
  await button(page, 'Pay 0.01 BTC').click()
  const warning = page.getByRole('alert', { name: 'Stop: nothing was paid' })
  await warning.waitFor()
  expect(await warning.locator('code').allInnerTexts()).toEqual([bitcoin, otherBitcoin])
  expect(await countPayments(page)).toBe(0)
  await assertGoodLooks(page)
  // The warning precedes every way to pay.
  await button(page, 'Don’t pay').click()
  await warning.waitFor({ state: 'detached' })
  await lookUp(page, id)
  await warning.waitFor()
  await button(page, 'I checked with the recipient').click()
  await button(page, 'Pay 0.01 BTC').click()
  await page.getByText('Paid 0.01 BTC').waitFor()
  expect(await page.locator('#payments li').innerText()).toContain(otherBitcoin)

  const { records } = await client.lookup(id, { tags: ['0x1003'] })
  await edit(id, { delete: records.map(({ hash }) => hash) })
  await lookUp(page, id)
  await warning.waitFor()
  expect(await warning.innerText()).toContain('Anna no longer accepts BTC')
  expect(await page.locator('#problem').isVisible()).toBe(false)
  await button(page, 'Forget Anna, BTC').click()
  await page.getByText('No saved contacts yet').waitFor()
  expect(page.problems).toEqual([])
})

it('the demo wallet says that the address of a contact changed while the page is open, before money moves', async () => {
  const id = await newId()
  const page = await open()
  const followRequest = () =>
    page.waitForRequest((request) => request.url().includes('/api/events?'))
  // An id that is only shown: the offer with the old address disappears.
  const shownRequest = followRequest()
  await lookUp(page, id)
  await button(page, 'Pay 0.01 BTC').waitFor()
  await shownRequest
  await setBitcoin(id, otherBitcoin)
  await page.getByText(`The address of ${id} just changed. Look it up again.`).waitFor()
  expect(await page.locator('.panel').count()).toBe(0)
  await setBitcoin(id, bitcoin)

  const shownAgainRequest = followRequest()
  await lookUp(page, id)
  await page.getByLabel('Name for your address book').fill('Bert')
  await shownAgainRequest
  const followedRequest = followRequest()
  await button(page, 'Remember').click()
  await page.getByText('Bert is in your address book').waitFor()
  await followedRequest
  // The page learns it from the feed, without a press, and withdraws the offer to pay.
  await setBitcoin(id, otherBitcoin)
  const warning = page.getByRole('alert', { name: 'Stop: nothing was paid' })
  await warning.waitFor()
  expect(await warning.locator('code').allInnerTexts()).toEqual([bitcoin, otherBitcoin])
  expect(await page.locator('#book .wrong').innerText()).toContain('Bert now has a different')
  expect(await countPayments(page)).toBe(0)
  await button(page, 'I checked with the recipient').click()
  await button(page, 'Pay 0.01 BTC').waitFor()
  expect(await page.locator('#book .wrong').count()).toBe(0)
  expect(page.problems).toEqual([])

  const refusal = { error: 'No.', code: 'invalid_request', request_id: 'r' }
  await page.route('**/api/events/watch', (route) => route.fulfill({ status: 400, json: refusal }))
  await page.reload()
  await page.getByText('Changed addresses don’t show here at the moment').waitFor()
})

/** Delays the responses about one id until the test releases them. */
const hold = async (page: Page, id: string) => {
  let letGo = () => {}
  const promise = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const isAbout = (request: Request) => request.url().includes(encodeURIComponent(id))
  const askedRequest = page.waitForRequest(isAbout)
  const endedRequest = Promise.race([
    page.waitForEvent('requestfinished', isAbout),
    page.waitForEvent('requestfailed', isAbout),
  ])
  await page.route(`**/${encodeURIComponent(id)}/proof`, async (route) => {
    await promise
    // The client may have closed the connection.
    await route.continue().catch(() => {})
  })
  return {
    asked: askedRequest,
    /** Resolves once the page has processed the response. */
    async letGo() {
      letGo()
      await endedRequest
      await haveTurn(page)
    },
  }
}
/** Resolves after all earlier work of the page. */
const haveTurn = (page: Page) =>
  page.evaluate(async () => {
    await (await fetch('/health/live')).text()
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
  })

it('the demo wallet shows the response to the latest request, and pays once after several presses', async () => {
  const [first, second] = [await newId(), await newId()]
  await setBitcoin(second, otherBitcoin)
  const page = await open()
  const { asked, letGo } = await hold(page, first)
  await lookUp(page, first)
  await asked
  await lookUp(page, second)
  const heading = page.getByRole('heading', { name: `Pay emoji id ${second}` })
  await heading.waitFor()
  await letGo()
  expect(await heading.isVisible()).toBe(true)
  expect(await page.locator('.panel code').innerText()).toBe(otherBitcoin)

  const payment = await hold(page, second)
  await button(page, 'Pay 0.01 BTC').dblclick()
  await payment.asked
  expect(await button(page, 'Pay 0.01 BTC').isDisabled()).toBe(true)
  // The edit withdraws the payment.
  await page.getByLabel('Amount').fill('7')
  await payment.letGo()
  expect([await countPayments(page), await page.locator('.panel').count()]).toEqual([0, 0])

  await page.unrouteAll()
  await lookUp(page, second)
  await button(page, 'Pay 7 BTC').dblclick()
  await page.getByText('Paid 7 BTC').waitFor()
  await haveTurn(page)
  expect(await countPayments(page)).toBe(1)
})
