import { afterAll, beforeAll, expect, it } from 'vitest'
import { openBrowser, type TestPage } from '../support/browser.ts'
import { newcomer, registerAs } from '../support/people.ts'
import { type Site, sharedSite } from '../support/shared-site.ts'
import { waitUntil } from '../support/wait.ts'
import { assertDarkLooks, openAs } from '../support/web-pages.ts'
import { recordEvent, webhookReceiver } from '../support/webhooks.ts'

const { newPage } = openBrowser()

let service: Site
let receiver: Awaited<ReturnType<typeof webhookReceiver>>
beforeAll(async () => {
  service = await sharedSite()
  receiver = await webhookReceiver((_request, response) => response.end('Thank you'))
})
afterAll(() => receiver?.close())

const button = (page: TestPage, name: string | RegExp) => page.getByRole('button', { name })

it('an owner adds an endpoint, reads its log and resends a delivery, and an operator stops the endpoint', async () => {
  const anna = await newcomer(service, { isVerified: true })
  const page = await newPage()
  await openAs(service, page, anna, '/account/webhooks')
  await button(page, 'Add an endpoint').click()
  await page.getByLabel('Address').fill(receiver.url)
  await page.getByLabel('order.paid').check()
  await assertDarkLooks(page)
  await button(page, 'Add endpoint').click()
  await page.getByText(/whsec_/).waitFor()
  await button(page, 'I’ve stored it').click()
  await page.getByRole('link', { name: receiver.url }).click()
  await page.getByRole('heading', { name: receiver.url }).waitFor()

  await button(page, 'Send a test event').click()
  await waitUntil(() => receiver.received.length === 1)
  await recordEvent(service, 'order.paid', [{ user_id: anna.id }])
  await waitUntil(() => receiver.received.length === 2)
  await page.getByRole('rowheader', { name: /order\.paid/ }).waitFor()
  await page.getByText('Delivered').nth(1).waitFor()
  await page.getByText('Show the response').first().click()
  await page.getByText('Thank you').first().waitFor()
  await assertDarkLooks(page)
  await button(page, /Send again.*order\.paid/).click()
  await waitUntil(() => receiver.received.length === 3)
  await button(page, 'Change').click()
  await page.getByLabel('order.refunded').check()
  const movedUrl = `${receiver.url}/moved`
  await page.getByLabel('Address').fill(movedUrl)
  await button(page, 'Save').click()
  await page.getByRole('heading', { name: movedUrl }).waitFor()
  await page.getByText(/order\.refunded/).waitFor()
  await button(page, 'Pause').click()
  await page.getByText('Paused', { exact: true }).waitFor()

  const admin = await registerAs(service, 'Super')
  const endpointPath = new URL(page.url()).pathname
  await openAs(service, page, admin, '/admin/webhooks')
  await page.getByRole('link', { name: movedUrl }).click()
  await button(page, 'Stop …').click()
  await page.getByLabel(/Reason/).fill('Floods a third party')
  await button(page, 'Stop it').click()
  await page.getByText('Stopped by an operator').waitFor()
  await openAs(service, page, anna, endpointPath)
  await page.getByText('Floods a third party').waitFor()
  for (const name of ['Resume', 'Change', 'Delete']) {
    expect(await button(page, name).count(), name).toBe(0)
  }
})
