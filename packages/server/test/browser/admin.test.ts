import { beforeAll, describe, expect, it } from 'vitest'
import { addJob } from '../../src/platform/jobs/jobs.ts'
import { confirm, reasonsOf } from '../support/admin-pages.ts'
import { openBrowser, type TestPage } from '../support/browser.ts'
import { makeCode, newText, signedCode } from '../support/codes.ts'
import { at, grant, newId } from '../support/ids.ts'
import { goInApp } from '../support/in-app.ts'
import { newcomer, type Person, registerAs } from '../support/people.ts'
import { keyPair } from '../support/schnorr.ts'
import { enableApp } from '../support/second-factor.ts'
import { type Site, sharedSite } from '../support/shared-site.ts'
import { buyer } from '../support/shop.ts'
import { assertDarkLooks, openAs, waitForAnnouncement } from '../support/web-pages.ts'

const { newPage } = openBrowser()

let shop: Site
let admin: Person
beforeAll(async () => {
  shop = await sharedSite()
  admin = await registerAs(shop, 'Super')
})

const hostile = '<img src=x onerror=alert(1)>"\'&<script>alert(2)</script>'
const button = (page: TestPage, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true })
const heading = (page: TestPage, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name })
const dialog = (page: TestPage) => page.getByRole('dialog')
const table = (page: TestPage, name: string) => page.getByRole('table', { name, exact: true })

async function open(path: string) {
  const page = await newPage()
  await openAs(shop, page, admin, path)
  return page
}
/** Opens a dialog, enters a reason and confirms. */
async function act(page: TestPage, label: string, action: string, reason?: string) {
  await button(page, label).first().click()
  if (reason) await dialog(page).getByLabel('Reason').fill(reason)
  await dialog(page).getByRole('button', { name: action, exact: true }).click()
}
/** A card-paid order of this many ids. */
async function paidOrder(code?: string, count = 1) {
  const anna = await buyer(shop)
  const ids = Array.from({ length: count }, newId)
  await anna.pending('CardCheckout', ids)
  const order = code ? await anna.promo(code) : await anna.cart()
  await shop.pay(order)
  await anna.until(order.id, 'Paid')
  return { anna, ids, id: order.id, number: order.order_number }
}

describe('an operator', () => {
  it('creates a code, and refunds the order that used it by amount, by item and by override', async () => {
    const page = await open('/admin/codes')
    await page.getByRole('link', { name: 'New code' }).click()
    await heading(page, 'New code').waitFor()
    await assertDarkLooks(page)
    const text = newText()
    const name = hostile.slice(0, 60)
    await page.getByLabel('Name').fill(name)
    await page.getByLabel('Code', { exact: true }).fill(text)
    await page.getByLabel('Percentage', { exact: true }).fill('20')
    await page.getByLabel('Total uses').fill('5')
    await page.getByLabel('Minimum length').fill('2')
    await page.getByLabel('Reason').fill('For the summer')
    await button(page, 'Create code').click()
    await heading(page, name).waitFor()
    await page.getByText('Active', { exact: true }).waitFor()

    const { id, number, anna, ids } = await paidOrder(text, 3)
    const [mintedId = '', ...boughtIds] = ids
    const names = { first_name: hostile.slice(0, 100), last_name: 'javascript:alert(3)' }
    await anna.patch('/api/account', names)
    await anna.post(`/api/orders/${id}/refund_request`, { reason: hostile })
    await shop.db
      .updateTable('emoji_ids')
      .set({ minted: true })
      .where('emoji_id', '=', mintedId)
      .execute()
    await shop.db
      .updateTable('orders')
      .set({ tracking_data: JSON.stringify({ [hostile]: 'javascript:alert(4)' }) })
      .where('id', '=', id)
      .execute()
    const paidCents = (await shop.ledgerOf(id))[0]?.amount_in_cents ?? 0
    const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`
    await page.reload()
    await page.getByText('1 of 5').waitFor()
    const uses = table(page, 'Uses of this code')
    await uses
      .getByRole('img', { name: /^emoji id/ })
      .first()
      .waitFor()
    await assertDarkLooks(page)
    await uses.getByRole('link', { name: number }).click()

    await heading(page, `Order ${number}`).waitFor()
    const ledger = table(page, 'Ledger of this order')
    await ledger.getByText(dollars(paidCents), { exact: true }).waitFor()
    await page.getByRole('heading', { name: 'The buyer requests a refund' }).waitFor()
    await page.getByText(hostile).first().waitFor()
    await assertDarkLooks(page)
    await act(page, 'Decline the request …', 'Decline', 'Others are no better')
    await waitForAnnouncement(page, 'Request declined.')
    await page.getByText('Others are no better').waitFor()

    await button(page, 'Refund an amount …').click()
    await dialog(page).getByLabel('Amount in US dollars').fill('1.25')
    await dialog(page).getByLabel('Reason').fill(hostile)
    await dialog(page).getByRole('button', { name: 'Refund amount' }).click()
    await ledger.getByText('−$1.25').waitFor()

    const items = table(page, 'Items of this order')
    await button(page, 'Refund …').click()
    const choices = dialog(page).getByRole('group', { name: 'Items to refund' })
    await choices.getByText('It was minted.').waitFor()
    const boxes = choices.getByRole('checkbox')
    const isChecked = await boxes.evaluateAll((all) =>
      all.map((one) => (one as HTMLInputElement).checked),
    )
    expect(isChecked.filter(Boolean)).toHaveLength(2)
    for (const item of await boxes.all()) await item.check()
    await dialog(page)
      .getByText(`Refund amount${dollars(paidCents - 125)}`)
      .waitFor()
    await dialog(page).getByText('The rest was already refunded').waitFor()
    await boxes.nth(isChecked.lastIndexOf(true)).uncheck()
    await dialog(page).getByLabel('Reason').fill('Only two of them')
    await dialog(page).getByRole('button', { name: 'Refund' }).click()
    await dialog(page).getByText(`${mintedId} can’t be refunded. It was minted.`).waitFor()
    await dialog(page).getByLabel('Override the rules').check()
    await dialog(page).getByRole('button', { name: 'Refund' }).click()
    await waitForAnnouncement(page, 'Refund started.')
    await expect.poll(() => items.getByText('Refunded').count()).toBe(2)
    await ledger.getByText(`−${dollars((paidCents / 3) * 2)}`).waitFor()
    await ledger.getByText('Only two of them').first().waitFor()
    // One of the two that were not minted is refunded.
    const owners = await Promise.all(boughtIds.map((one) => shop.ownerOf(one)))
    expect(owners.filter(Boolean)).toEqual([anna.id])

    // User input is text on every page, and runs nowhere (T104).
    for (const [path, shown] of Object.entries({
      [`/admin/users/${anna.id}`]: names.first_name,
      '/admin/orders?view=requests&request=handled': anna.email,
    })) {
      await goInApp(page, path)
      await page.getByText(shown).first().waitFor()
      expect(await page.locator('main img[src="x"], main script').count()).toBe(0)
    }
    expect(page.problems.filter((problem) => !problem.includes('422'))).toEqual([])
  })

  it('finds an order by address and day, marks it as paid, takes cash for another and pays it back', async () => {
    const anna = await buyer(shop)
    const { id, order_number } = await anna.pending()
    const page = await open(`/admin/orders?q=${encodeURIComponent(anna.email)}`)
    const rows = table(page, 'Orders').getByRole('rowheader')
    await expect.poll(() => rows.count()).toBe(1)
    await page.getByLabel('State').selectOption('PendingPayment')
    await page.getByLabel('Until (UTC)').fill('2001-01-01')
    await page.getByText('No matching orders.').waitFor()
    await page.getByLabel('Until (UTC)').fill('')
    await assertDarkLooks(page)
    await rows.getByRole('link', { name: order_number }).click()
    await act(page, 'Mark as paid …', 'Mark as paid', 'Paid at the counter')
    await waitForAnnouncement(page, 'Order marked as paid.')
    await table(page, 'Ledger of this order').getByText('Marked as paid').waitFor()
    expect((await anna.order(id)).status).toBe('Paid')
    await button(page, 'Refund …').click()
    await dialog(page).getByText('No money is refunded because none was received.').waitFor()
    await dialog(page).getByLabel('Reason').fill('Taken back')
    await dialog(page).getByRole('button', { name: 'Refund' }).click()
    await waitForAnnouncement(page, 'Items taken back. No money is refunded.')

    // A cart is listed as a draft only.
    const cart = await anna.add(newId())
    await goInApp(page, `/admin/orders?q=${encodeURIComponent(anna.email)}&status=Draft`)
    await rows.getByRole('link', { name: cart.order_number }).click()
    await button(page, 'Take cash …').click()
    await dialog(page).getByText('$4.00 is due.').waitFor()
    await dialog(page).getByLabel('Reference').fill(`till ${cart.id}`)
    await dialog(page).getByRole('button', { name: 'Take cash' }).click()
    await button(page, 'Refund …').waitFor()
    expect((await anna.order(cart.id)).status).toBe('Paid')
    await admin.post(`/api/orders/${cart.id}/refund`, { reason: 'Changed their mind' })
    await shop.settle()
    await goInApp(page, '/admin/orders?view=refunds&state=by_hand')
    const refund = page.getByRole('row').filter({ hasText: cart.order_number })
    await refund.getByRole('button', { name: 'Mark as paid …' }).click()
    await dialog(page).getByLabel('Reference').fill('Statement 12')
    await dialog(page).getByRole('button', { name: 'Mark as paid' }).click()
    await refund.waitFor({ state: 'detached' })
    expect(page.problems).toEqual([])
  })

  it('changes an account, removes its second factor, finds it in the log, and deletes the account', async () => {
    const bob = await newcomer(shop)
    const id = await grant(admin, { user_id: bob.id })
    await enableApp(shop, bob)
    const page = await open(`/admin/users/${bob.id}`)
    await heading(page, bob.email).waitFor()
    await page.getByRole('img', { name: /^emoji id/ }).waitFor()
    await assertDarkLooks(page)
    const account = async () => (await admin.get(`/api/users/${bob.id}`)).json()

    await button(page, 'Change role …').click()
    await dialog(page).getByLabel('New role').selectOption('Bot')
    await confirm(page, 'Change role', 'Runs a machine')
    await waitForAnnouncement(page, 'Role changed.')
    expect(await account()).toMatchObject({ role: 'Bot', emoji_ids: [id] })
    await button(page, 'Change features …').click()
    await dialog(page).getByLabel('Other features').fill('early_access')
    await confirm(page, 'Save features', 'Tries new things')
    await page.getByText('early_access').waitFor()

    await act(page, 'Remove second factor …', 'Remove second factor', 'Lost the phone')
    await waitForAnnouncement(page, 'Second factor removed.')
    expect((await account())['two_factor_auth']).toBeNull()
    await page.getByRole('link', { name: 'Account history' }).click()
    const entry = table(page, 'Audit log').getByRole('row').filter({ hasText: 'Lost the phone' })
    await entry.getByText('removed a second factor').waitFor()
    await entry.getByRole('link', { name: admin.email }).waitFor()
    await entry.getByRole('link', { name: bob.email }).click()
    await heading(page, bob.email).waitFor()

    await page.getByRole('button', { name: /^Suspend …/ }).click()
    await confirm(page, 'Suspend', 'Phishing')
    await page.getByText('Suspended', { exact: true }).waitFor()
    expect((await shop.get(at(id))).status).toBe(451)
    await page.getByRole('button', { name: /^Restore …/ }).click()
    await confirm(page, 'Restore', 'A mistake')
    await page.getByRole('button', { name: /^Suspend …/ }).waitFor()

    await button(page, 'Deactivate …').click()
    await dialog(page).getByLabel('Suspend all emoji ids of this account').uncheck()
    await confirm(page, 'Deactivate', 'Sends spam')
    await page.getByText('Deactivated', { exact: true }).waitFor()
    expect([(await bob.get('/api/account')).status, (await shop.get(at(id))).status]).toEqual([
      401, 200,
    ])
    await act(page, 'Activate …', 'Activate', 'Was a mistake')
    await page.getByText('Active', { exact: true }).waitFor()
    await admin.delete(`/api/admin/emoji_ids/${encodeURIComponent(id)}`)
    await act(page, 'Delete …', 'Delete account', 'Asked for it')
    await heading(page, 'No name').waitFor()
    expect(page.problems).toEqual([])
  })

  it('changes a code, lists its signing keys, and deletes it', async () => {
    await makeCode(admin, signedCode({ name: 'Surprise box', max_uses: 3 }))
    const page = await open('/admin/codes?kind=RandomYat&q=surprise')
    const codeLink = table(page, 'Codes').getByRole('link', { name: 'Surprise box' })
    await codeLink.click()
    await button(page, 'Change …').click()
    await page.getByLabel('Total uses').fill('')
    await page.getByLabel('Only these emojis').fill('🔥🐍')
    await page.getByLabel('Reason').fill('It goes well')
    await button(page, 'Save changes').click()
    await waitForAnnouncement(page, 'Changes saved.')
    await page.getByText('using only').waitFor()
    const { pubkey } = keyPair()
    await button(page, 'Add a key …').click()
    await dialog(page).getByLabel('Public key').fill(pubkey)
    await confirm(page, 'Add key', 'Their machine')
    await table(page, 'Signing keys of this code').getByText(pubkey).waitFor()
    await act(page, 'Revoke …', 'Revoke key', 'It was lost')
    await page.getByText('No signing keys yet').waitFor()
    await act(page, 'Delete …', 'Delete code', 'It is over')
    await page.getByText('Deleted', { exact: true }).waitFor()
    expect(page.problems).toEqual([])
  })

  it('retries a failed job, removes another, and is asked to set up a second factor', async () => {
    const later = new Date(Date.now() + 3_600_000)
    const fail = async (task: string) => {
      await addJob(shop.db, task, { secret: 'never shown' }, { run_at: later, key: `test:${task}` })
      await shop.db
        .updateTable('graphile_worker._private_jobs' as 'messages')
        .set({ attempts: 25, last_error: 'no answer for anna@example.com' } as never)
        .where('key' as 'id', '=', `test:${task}`)
        .execute()
    }
    await fail('transfers.sweep')
    await fail('links.sweep')
    const page = await open('/admin/jobs?state=given_up')
    const rows = table(page, 'Jobs').getByRole('row')
    const sweep = rows.filter({ hasText: 'transfers.sweep' })
    await sweep.getByText('no answer for …@…').waitFor()
    await table(page, 'Jobs by task').getByText('transfers.sweep').waitFor()
    expect(await page.content()).not.toContain('never shown')
    await assertDarkLooks(page)
    await sweep.getByRole('button', { name: 'Retry …' }).click()
    await dialog(page).getByLabel('Reason').fill('The database is back')
    await dialog(page).getByRole('button', { name: 'Retry job' }).click()
    await expect.poll(() => sweep.count()).toBe(0)
    const listJobs = async () =>
      (await admin.get('/api/admin/jobs?task=transfers.sweep')).json<{ data: unknown[] }>().data
    await expect.poll(listJobs).toEqual([])

    const other = rows.filter({ hasText: 'links.sweep' })
    await other.getByRole('button', { name: 'Remove …' }).click()
    await dialog(page).getByLabel('Reason').fill('Not needed any more')
    await dialog(page).getByRole('button', { name: 'Remove job' }).click()
    await expect.poll(() => other.count()).toBe(0)
    const removals = () => reasonsOf(admin, 'job.removed')
    await expect.poll(removals).toEqual(['Not needed any more'])

    // On every page for an operator without one, because nothing asks for a code.
    const notice = page.getByText('Your account has no second factor')
    await notice.waitFor()
    await page.getByRole('link', { name: 'Set up a second factor' }).click()
    await heading(page, 'Security').waitFor()
    expect(page.problems).toEqual([])
  })
})
