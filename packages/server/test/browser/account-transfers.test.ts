import { beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, type TestPage } from '../support/browser.ts'
import { at, grant, proofOf } from '../support/ids.ts'
import { goInApp } from '../support/in-app.ts'
import { newcomer, newEmail, type Person, register, registerAs } from '../support/people.ts'
import { type Site, sharedSite } from '../support/shared-site.ts'
import { transferSteps, wrongCode } from '../support/transfers.ts'
import {
  assertDarkLooks,
  assertGoodLooks,
  openAs,
  waitForAnnouncement,
} from '../support/web-pages.ts'

const { newPage } = openBrowser()

let service: Site
let admin: Person
let steps: ReturnType<typeof transferSteps>
beforeAll(async () => {
  service = await sharedSite()
  admin = await registerAs(service, 'Admin')
  steps = transferSteps(service, admin)
})

const button = (page: TestPage, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' })
const rowsOf = (page: TestPage, table: string) =>
  page.getByRole('table', { name: table }).getByRole('rowheader')
const signedIn = async (person: Person, path: string) => {
  const page = await newPage()
  await openAs(service, page, person, path)
  return page
}

/** Fills in the form up to the confirmation. */
async function offer(
  page: TestPage,
  id: string,
  to: string,
  { message = '', withAddresses = false },
) {
  await button(page, 'Send an emoji id').click()
  await page.locator(`input[type=radio][value="${id}"]`).check()
  await page.getByLabel('Recipient’s email address').fill(to)
  await page.getByLabel('Message').fill(message)
  if (withAddresses) await page.getByLabel('With my addresses, page and pictures').check()
  await button(page, 'Continue').click()
}

describe('an emoji id', () => {
  it('an emoji id is transferred with the emailed codes of sender and recipient', async () => {
    const [anna, bert] = [
      await newcomer(service, { isVerified: true }),
      await newcomer(service, { isVerified: true }),
    ]
    const id = await grant(admin, { user_id: anna.id })
    const bitcoin = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'
    const insert = [
      { tag: '0x1003', data: bitcoin },
      { tag: '0x5001', data: 'Anna' },
    ]
    expect((await anna.patch(at(id), { insert })).status).toBe(200)
    const page = await signedIn(anna, '/account/transfers')
    await page.getByText('No outgoing transfers.').waitFor()
    const message = '<img src=x onerror=alert(1)> for you'
    await offer(page, id, bert.email, { message, withAddresses: true })
    await page.getByRole('dialog', { name: 'Send this emoji id?' }).waitFor()
    await button(page, 'Send it').click()

    const code = await steps.codeTo(anna)
    await page.getByLabel('Code', { exact: true }).fill(wrongCode(code))
    await button(page, 'Confirm').click()
    await page.getByText('This code is wrong.').waitFor()
    await button(page, 'Later').click()
    await page.getByText('Waiting for you').waitFor()
    // The table is not cut off.
    const isWhole = page.getByRole('table').evaluate(({ parentElement: frame }) => {
      return frame !== null && frame.scrollWidth <= frame.clientWidth
    })
    expect(await isWhole).toBe(true)
    await assertGoodLooks(page)
    await button(page, /^Confirm.+/).click()
    await page.getByLabel('Code', { exact: true }).fill(code)
    await button(page, 'Confirm').click()
    await page.getByText('Waiting for the recipient').waitFor()

    const otherCode = await steps.codeTo(bert)
    await openAs(service, page, bert, '/account/transfers')
    await page.getByText('Offered to you').waitFor()
    await page.getByText('We don’t show who is sending this').waitFor()
    await page.getByText('<img src=x onerror=alert(1)> for you').waitFor()
    await page.getByText('Arrives with 2 records').waitFor()
    const luggage = 'Addresses that come with it'
    const luggageItems = page.getByRole('list', { name: luggage }).getByRole('listitem')
    await expect
      .poll(() => luggageItems.allTextContents())
      .toEqual(['Bitcoin (BTC) 1A1zP1eP…v7DivfNa'])
    await button(page, /^Accept/).click()
    const dialog = page.getByRole('dialog', { name: 'Accept the emoji id' })
    await dialog.getByText('1A1zP1eP…v7DivfNa').waitFor()
    await dialog.getByText('check each one after you accept').waitFor()
    await page.getByLabel('Code', { exact: true }).fill(otherCode)
    await button(page, 'Accept it').click()
    await waitForAnnouncement(page, 'It’s yours now.')
    await page.getByLabel('Include accepted transfers').check()
    await page.getByText('It’s among your emoji ids.').waitFor()
    expect(await steps.ownerOf(id)).toEqual([bert.id])
    await goInApp(page, '/account')
    await page.getByText('It just changed owners. You can send it from').waitFor()
    expect(page.problems.filter((text) => !text.includes('422'))).toEqual([])
  })

  it('an emoji id is sent to a public key from a link, and stays with its owner after a cancel', async () => {
    const [anna, bert] = [
      await newcomer(service, { isVerified: true }),
      await newcomer(service, { isVerified: true }),
    ]
    const id = await grant(admin, { user_id: anna.id })
    await grant(admin, { user_id: anna.id })
    const page = await signedIn(anna, `/account/ids/${encodeURIComponent(id)}`)
    await page.getByRole('link', { name: 'Transfer or give away' }).click()
    await page.locator(`input[type=radio][value="${id}"]:checked`).waitFor()
    await page.getByLabel('Public key').check()
    const [pubkey = ''] = (await bert.get('/api/pubkeys')).json<string[]>()
    await page.getByLabel('Recipient’s public key').fill(pubkey)
    await button(page, 'Continue').click()
    await page.getByRole('dialog').getByText(`Recipient: ${pubkey}.`).waitFor()
    await button(page, 'Send it').click()
    await page.getByLabel('Code', { exact: true }).fill(await steps.codeTo(anna))
    await button(page, 'Confirm').click()
    await page.getByText('Waiting for the recipient').waitFor()
    const incoming = async () => (await bert.get('/api/transfers/incoming')).json()
    expect(await incoming()).toMatchObject([{ eid: id }])

    await button(page, /^Cancel transfer/).click()
    await button(page, 'Cancel the transfer').click()
    await waitForAnnouncement(page, 'Transfer cancelled.')
    await rowsOf(page, 'Outgoing transfers').first().waitFor()
    await expect.poll(() => button(page, /^Cancel transfer/).count()).toBe(0)
    expect(await incoming()).toEqual([])
    expect(await steps.ownerOf(id)).toEqual([anna.id])
    expect(page.problems).toEqual([])
  })
})

it('the transfers page shows an offer to an organization to its power roles, who decline it', async () => {
  const owner = await newcomer(service, { isVerified: true })
  const organization = await admin.post('/api/admin/organizations', { name: 'Crabs' })
  const organization_id = organization.json<{ id: string }>().id
  const path = `/api/admin/organizations/${organization_id}/members/${owner.id}`
  expect((await admin.put(path, { role: 'OrgOwner' })).status).toBe(200)
  const { pubkey } = await proofOf(service, await grant(admin, { organization_id }))
  const recipient = { recipient_id: null, email: '', organization_id, pubkey }
  const { transfer } = await steps.inserted('awaiting_receiver', recipient)

  const page = await signedIn(owner, '/account/transfers')
  await page.getByText('For your organization.').waitFor()
  await button(page, /^Decline/).click()
  await page.getByRole('dialog', { name: 'Decline this emoji id?' }).waitFor()
  await button(page, 'Decline it').click()
  await page.getByText('No incoming transfers.').waitFor()
  expect(await steps.stateOf(transfer)).toBe('closed')
  expect(page.problems).toEqual([])
})

describe('the watchlist', () => {
  it('adds a typed id, reports in a notification when it becomes available, and removes it', async () => {
    const [anna, bert] = [
      await newcomer(service, { isVerified: true }),
      await newcomer(service, { isVerified: true }),
    ]
    const id = await grant(admin, { user_id: bert.id })
    const page = await signedIn(anna, '/account/interests')
    await page.getByText('No emoji ids on your watchlist.').waitFor()
    const field = page.getByLabel('Emojis or their names')
    await field.fill(id)
    await page.getByText('Taken', { exact: true }).waitFor()
    await button(page, 'Add to watchlist').click()
    const rows = rowsOf(page, 'Your watchlist')
    await rows.first().waitFor()
    await page.getByRole('table').getByText('Taken').waitFor()

    await bert.delete(at(id))
    await service.settle()
    await page.reload()
    await page.getByText('Became available').waitFor()
    await assertDarkLooks(page)

    await page.getByRole('link', { name: 'Notifications 1 unread' }).click()
    await page.getByRole('heading', { name: 'Notifications', level: 1 }).waitFor()
    const notice = page.getByRole('main').getByRole('link', { name: /is available/ })
    await notice.waitFor()
    await assertDarkLooks(page)
    await button(page, 'Mark all as read').click()
    await waitForAnnouncement(page, 'All notifications are marked as read.')
    await page.getByRole('link', { name: 'Notifications', exact: true }).waitFor()
    await notice.click()
    await button(page, /^Remove/).click()
    await button(page, 'Remove').click()
    await page.getByText('No emoji ids on your watchlist.').waitFor()
    expect(page.problems).toEqual([])
  })
})

describe('an account without an email address', () => {
  it('sends and accepts an emoji id with the passwords of both accounts', async () => {
    const named = () =>
      register(service, { email: undefined, alternate_id: newEmail(), source: 'a wallet' })
    const [anna, bert] = [await named(), await named()]
    const id = await grant(admin, { user_id: anna.id })
    const [pubkey] = (await bert.get('/api/pubkeys')).json<string[]>()
    await steps.post(anna, { eid: id, pubkey })
    const page = await signedIn(anna, '/account/transfers')
    await button(page, /^Confirm.+/).click()
    await page.getByText('Enter the password of your account.').waitFor()
    await page.getByLabel('Password').fill('not the password')
    await button(page, 'Confirm').click()
    await page.getByText('This password is wrong.').waitFor()
    await page.getByLabel('Password').fill(anna.password)
    await button(page, 'Confirm').click()
    await page.getByText('Waiting for the recipient').waitFor()
    await openAs(service, page, bert, '/account/notifications')
    await page.getByText('is offered to you').waitFor()
    await goInApp(page, '/account/transfers')
    await button(page, /^Accept/).click()
    await assertGoodLooks(page)
    await page.getByLabel('Password').fill(bert.password)
    await button(page, 'Accept it').click()
    await waitForAnnouncement(page, 'It’s yours now.')
    expect(await steps.ownerOf(id)).toEqual([bert.id])
    expect(page.problems.filter((text) => !text.includes('422'))).toEqual([])
  })
})

describe('an account with an unconfirmed address', () => {
  it('sees an offer with its emailed code, and accepts it without entering the code again', async () => {
    const [anna, bert] = [await newcomer(service, { isVerified: true }), await register(service)]
    const id = await grant(admin, { user_id: anna.id })
    const transfer = await steps.post(anna, { eid: id, email: bert.email })
    await steps.confirm(anna, transfer, await steps.codeTo(anna))
    const code = await steps.codeTo(bert)
    const page = await signedIn(bert, '/account/transfers')
    await page.getByText('No incoming transfers.').waitFor()
    await page.getByLabel('Code of an offer').fill(wrongCode(code))
    await button(page, 'Show the offer').click()
    await page.getByText('No offer to you has this code').waitFor()
    await assertGoodLooks(page)
    await page.getByLabel('Code of an offer').fill(code)
    await button(page, 'Show the offer').click()
    await button(page, /^Accept/).click()
    await page.getByText('so you don’t need a code').waitFor()
    await button(page, 'Accept it').click()
    await waitForAnnouncement(page, 'It’s yours now.')
    expect(await steps.ownerOf(id)).toEqual([bert.id])
    expect(page.problems.filter((text) => !text.includes('422'))).toEqual([])
  })
})
