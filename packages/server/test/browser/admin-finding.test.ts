import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { button, confirm, dialog, heading, link } from '../support/admin-pages.ts'
import { openBrowser, type TestPage } from '../support/browser.ts'
import { newId } from '../support/ids.ts'
import { goInApp } from '../support/in-app.ts'
import { newcomer, registerAs } from '../support/people.ts'
import { sharedSite } from '../support/shared-site.ts'
import { buyer } from '../support/shop.ts'
import { assertDarkLooks, openAs, waitForAnnouncement } from '../support/web-pages.ts'

const { newPage } = openBrowser()

type Figures = { sales: { days: { count: number }[] } }

const table = (page: TestPage, name: string) => page.getByRole('table', { name, exact: true })
it('an operator reads the figures of 30 days by keyboard and as a table, finds an id and transfers it', async () => {
  const service = await sharedSite()
  const admin = await registerAs(service, 'Admin')
  const anna = await buyer(service)
  const id = newId()
  const order = await anna.add(id)
  const cash = { method: 'Cash', amount: order.total_in_cents, external_reference: order.id }
  const payment = await admin.post(`/api/cart/checkout/${order.id}`, cash)
  expect(payment.json()['status']).toBe('Paid')
  // Figures are counted once a minute.
  service.clock.advance(61_000)

  const page = await newPage()
  const loaded = page.waitForResponse('**/api/admin/figures')
  await openAs(service, page, admin, '/admin')
  const figures: Figures = await (await loaded).json()
  await heading(page, 'Overview').waitFor()
  const chart = page.getByRole('application', { name: /^Sales of the last 30 days/ })
  await chart.press('ArrowRight')
  const [firstDay] = figures.sales.days
  const day = page.getByRole('status').filter({ hasText: `Paid orders: ${firstDay?.count}` })
  await day.waitFor()
  await assertDarkLooks(page)
  await page.getByText('Show as a table: Sales').click()
  const rows = table(page, 'Sales by day').getByRole('row')
  await expect.poll(() => rows.count()).toBe(31)
  expect(await rows.nth(1).textContent()).toContain(String(figures.sales.days.at(-1)?.count))
  await link(page, 'Refund requests').click()
  await page.waitForURL('**/admin/orders?view=requests')

  const bert = await newcomer(service, { isVerified: true })
  await goInApp(page, '/admin/ids')
  // The overview has the same field.
  await heading(page, 'Emoji ids').waitFor()
  await page.getByRole('searchbox', { name: 'Emoji id' }).fill(id)
  await button(page, 'Find').click()
  await heading(page, /^Emoji id:/).waitFor()
  await page.getByText('Owned', { exact: true }).waitFor()
  await table(page, 'Orders of this id').getByRole('link', { name: order.order_number }).waitFor()
  await table(page, 'Audit entries of this id')
    .getByText(`fulfilled order ${order.order_number}`)
    .waitFor()
  await assertDarkLooks(page)

  await button(page, 'Lock page data …').click()
  await dialog(page).getByLabel('Page data').selectOption('Links')
  await confirm(page, 'Lock', 'Phishing')
  await waitForAnnouncement(page, 'Page data locked.')
  await button(page, 'Unlock page data …').waitFor()

  await button(page, 'Transfer …').click()
  await dialog(page).getByLabel('Email address').fill(bert.email)
  await confirm(page, 'Transfer id', 'Won in court')
  await waitForAnnouncement(page, 'Id transferred.')
  await table(page, 'Transfers of this id').getByRole('link', { name: bert.email }).waitFor()
  expect((await bert.get('/api/emoji_id')).json()).toEqual([id])
  const entry = table(page, 'Audit entries of this id').getByRole('row').nth(1)
  await entry.getByText('transferred', { exact: true }).waitFor()
  await entry.getByText('Won in court').first().waitFor()

  await link(page, 'All orders of this id').click()
  const row = table(page, 'Orders').getByRole('row').filter({ hasText: order.order_number })
  await row.getByRole('link', { name: /^emoji id/ }).waitFor()
  await expect.poll(() => table(page, 'Orders').getByRole('row').count()).toBe(2)
  const savedDownload = page.waitForEvent('download')
  await button(page, 'Export as CSV').click()
  const file = await savedDownload
  expect(file.suggestedFilename()).toBe('orders.csv')
  const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain(`${order.order_number},Paid,${anna.email},${id},`)

  await goInApp(page, '/admin/users')
  await heading(page, 'Users').waitFor()
  await page.getByRole('searchbox').fill(id)
  await expect.poll(() => table(page, 'Users').getByRole('row').count()).toBe(2)
  await table(page, 'Users').getByRole('link', { name: bert.email }).waitFor()
  expect(page.problems).toEqual([])
})
