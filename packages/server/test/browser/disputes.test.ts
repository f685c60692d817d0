import { expect, it } from 'vitest'
import { button, confirm, heading, link, reasonsOf } from '../support/admin-pages.ts'
import { openBrowser } from '../support/browser.ts'
import { disputeSteps } from '../support/disputes.ts'
import { newId } from '../support/ids.ts'
import { goInApp } from '../support/in-app.ts'
import { registerAs } from '../support/people.ts'
import { sharedSite } from '../support/shared-site.ts'
import { buyer } from '../support/shop.ts'
import { assertDarkLooks, openAs, waitForAnnouncement } from '../support/web-pages.ts'

const { newPage } = openBrowser()

it('a disputed payment shows at the order and the id, and an operator decides on one page', async () => {
  const shop = await sharedSite()
  const [admin, disputes] = [await registerAs(shop, 'Admin'), disputeSteps(shop)]
  const [anna, bert] = [await buyer(shop), await buyer(shop)]
  const [ownedId, grantedId] = [newId(), newId()]
  const items = [{ emoji_id: ownedId }, { emoji_id: grantedId }]
  const { order, session } = await disputes.boughtAtPage(anna, items)
  const transfer = { eid: grantedId, email: bert.email, force_transfer: true, reason: 'Sold' }
  expect((await admin.post('/api/transfers', transfer)).status).toBe(200)
  const reference = await disputes.open(session)
  await disputes.waitForStatus(order, 'open')

  const page = await newPage()
  await openAs(shop, page, anna, `/orders/${order.id}`)
  await page.getByText('The payment is disputed').waitFor()
  await goInApp(page, `/account/ids/${encodeURIComponent(ownedId)}`)
  await page.getByText('Frozen because the payment is disputed').waitFor()
  await page.getByText('It can’t be released right now').waitFor()

  await openAs(shop, page, admin, '/admin/disputes')
  await page.getByRole('table', { name: 'Disputes' }).getByText(anna.email).waitFor()
  await goInApp(page, `/admin/orders/${order.id}`)
  await page.getByText('Refunds are blocked until the dispute is decided').waitFor()
  expect(await button(page, /^Refund/).count()).toBe(0)
  await goInApp(page, '/admin/disputes')
  await disputes.close(reference, 'lost')
  await disputes.waitForStatus(order, 'lost')
  await page.getByLabel('State').selectOption('Needs a decision')
  await link(page, new RegExp(`^View.*${order.order_number}`)).click()
  await heading(page, `Dispute about order ${order.order_number}`).waitFor()
  const ids = page.getByRole('table', { name: 'Ids of this dispute' })
  await ids.getByText(bert.email).first().waitFor()
  await ids.getByRole('listitem').filter({ hasText: 'Transferred' }).getByText(bert.email).waitFor()
  await assertDarkLooks(page)
  await button(page, 'Take back …').first().click()
  await confirm(page, 'Take it back', 'Bought with a stolen card')
  await waitForAnnouncement(page, 'Taken back.')
  await page.getByText('No emoji ids left to decide.').waitFor()
  await page.getByText('Decided by').waitFor()
  expect(await shop.ownerOf(grantedId)).toBeUndefined()
  expect(await reasonsOf(admin, 'order.dispute_taken_back')).toContain('Bought with a stolen card')
})
