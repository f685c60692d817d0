import type { Page, Request } from 'playwright-core'
import { afterAll, expect, it } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { testService } from '../support/service.ts'
import { bitcoin, otherBitcoin, payable } from '../support/wallet.ts'
import { assertGoodLooks } from '../support/web-pages.ts'

// What a browser may keep must not decide where money goes.
const env = { LOOKUP_MAX_AGE: '20' }
const service = await testService({ reachable: true, env })
const { newId, setBitcoin, edit, client } = await payable(service)
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
const paid = (page: Page) => page.locator('#payments li').count()

it('tells what is no id, what nobody has and what takes no such money apart, and pays what the button says', async () => {
  const page = await open()
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

  // What is shown is dropped when a field is edited, and what is paid is what the button says.
  await page.getByLabel('Currency').selectOption('Bitcoin (BTC)')
  await lookUp(page, id)
  const panel = page.locator('.panel')
  const changes = [
    () => page.getByLabel('Amount').fill('5'),
    () => page.getByLabel('Currency').selectOption('Ether (ETH)'),
    () => page.getByLabel('To', { exact: true }).fill(`${id} `),
  ]
  for (const change of changes) {
    await panel.waitFor()
    await change()
    await panel.waitFor({ state: 'detached' })
    await page.getByLabel('To', { exact: true }).press('Enter')
  }
  await button(page, 'Pay 5 ETH').click()
  await page.getByText(`Paid 5 ETH in play money to ${id}.`).waitFor()
  expect(await page.locator('#payments li').innerText()).toContain('5 ETH')
})

it('looks an id up and pays it, by keyboard alone; not to an address that changed since it was shown', async () => {
  const id = await newId()
  const page = await open()
  await lookUp(page, id)
  await page.getByRole('heading', { name: `Pay emoji id ${id}` }).waitFor()
  expect(await page.locator('.panel code').innerText()).toBe(bitcoin)
  expect(await page.getByRole('img', { name: /Code to scan/ }).isVisible()).toBe(true)
  const link = page.getByRole('link', { name: 'Open in another wallet' })
  expect(await link.getAttribute('href')).toBe(`bitcoin:${bitcoin}?amount=0.01`)
  expect(await paid(page)).toBe(0)
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
  await page.getByText('just changed').waitFor()
  expect(await paid(page)).toBe(1)
  expect(await page.locator('.panel code').innerText()).toBe(otherBitcoin)
  expect(page.problems).toEqual([])
})

it('warns before money moves when somebody who is remembered gives another address, or none', async () => {
  const id = await newId()
  const page = await open()
  await lookUp(page, id)
  await page.getByLabel('Name for your address book').fill('Anna')
  await button(page, 'Remember').click()
  await page.getByText('Anna is in your address book').waitFor()
  // Another visit: the book is kept.
  await page.reload()
  await button(page, 'Pay Anna, BTC').click()
  await page.getByText('The same address as the saved one').waitFor()
  await assertGoodLooks(page)
  // Between the look and the payment.
  await setBitcoin(id, otherBitcoin)
  await button(page, 'Pay 0.01 BTC').click()
  const warning = page.getByRole('alert', { name: 'Stop: nothing was paid' })
  await warning.waitFor()
  expect(await warning.locator('code').allInnerTexts()).toEqual([bitcoin, otherBitcoin])
  expect(await paid(page)).toBe(0)
  await assertGoodLooks(page)
  // However one comes to the payment, the warning stands before it.
  await button(page, 'Don’t pay').click()
  await warning.waitFor({ state: 'detached' })
  await lookUp(page, id)
  await warning.waitFor()
  await button(page, 'I checked with the recipient').click()
  await button(page, 'Pay 0.01 BTC').click()
  await page.getByText('Paid 0.01 BTC').waitFor()
  expect(await page.locator('#payments li').innerText()).toContain(otherBitcoin)
  await assertGoodLooks(page)

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

/** Answers about one id wait until the test lets them go. */
const hold = async (page: Page, id: string) => {
  let letGo = () => {}
  const promise = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const isAbout = (request: Request) => request.url().includes(encodeURIComponent(id))
  const asked = page.waitForRequest(isAbout)
  const ended = Promise.race([
    page.waitForEvent('requestfinished', isAbout),
    page.waitForEvent('requestfailed', isAbout),
  ])
  await page.route(`**/${encodeURIComponent(id)}/proof`, async (route) => {
    await promise
    // Whoever asked may have gone.
    await route.continue().catch(() => {})
  })
  return {
    asked,
    /** Until the page has its answer, and had its turn after it. */
    async letGo() {
      letGo()
      await ended
      await haveTurn(page)
    },
  }
}
/** Whatever the page had to do before an answer that it asks for now. */
const haveTurn = (page: Page) =>
  page.evaluate(async () => {
    await (await fetch('/health/live')).text()
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
  })

it('shows the answer to the latest question, however late another comes', async () => {
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
})

it('pays once, however often the button is pressed, and not after an edit', async () => {
  const id = await newId()
  const page = await open()
  await lookUp(page, id)
  await button(page, 'Pay 0.01 BTC').waitFor()
  const first = await hold(page, id)
  await button(page, 'Pay 0.01 BTC').dblclick()
  await first.asked
  expect(await button(page, 'Pay 0.01 BTC').isDisabled()).toBe(true)
  await page.getByLabel('Amount').fill('7')
  await first.letGo()
  expect([await paid(page), await page.locator('.panel').count()]).toEqual([0, 0])

  await page.unrouteAll()
  await lookUp(page, id)
  await button(page, 'Pay 7 BTC').dblclick()
  await page.getByText('Paid 7 BTC').waitFor()
  await haveTurn(page)
  expect(await paid(page)).toBe(1)
})
