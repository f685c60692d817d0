import { beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, type TestPage } from '../support/browser.ts'
import { giftLinkTo } from '../support/gifts.ts'
import { at, grant, recordsOf } from '../support/ids.ts'
import {
  goodPassword,
  newcomer,
  newEmail,
  type Person,
  register,
  registerAs,
} from '../support/people.ts'
import { type Site, sharedSite } from '../support/shared-site.ts'
import { transferSteps } from '../support/transfers.ts'
import { assertGoodLooks, openAs } from '../support/web-pages.ts'

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

/** A page as narrow as a phone. */
async function phonePage() {
  const page = await newPage()
  await page.setViewportSize({ width: 390, height: 700 })
  return page
}

/** Gives an id away, as far as the sender goes. */
async function give(anna: Person, id: string, to: string) {
  const page = await newPage()
  await openAs(service, page, anna, `/account/transfers?send=${encodeURIComponent(id)}`)
  await page.locator(`input[type=radio][value="${id}"]:checked`).waitFor()
  await page.getByLabel('Recipient’s email address').fill(to)
  await page.getByLabel('Message').fill('Happy birthday!')
  await page.getByLabel('Show my email address to the recipient').check()
  expect(await page.getByLabel('Without my addresses').isChecked()).toBe(true)
  await button(page, 'Continue').click()
  await page.getByText('It arrives empty: its records are deleted.').waitFor()
  await button(page, 'Send it').click()
  await page.getByLabel('Code', { exact: true }).fill(await steps.codeTo(anna))
  await button(page, 'Confirm').click()
  await page.getByText('Waiting for the recipient').waitFor()
  expect(page.problems).toEqual([])
  await steps.codeTo({ email: to })
  return giftLinkTo(service, to)
}

/** The same over the API. */
async function offer(anna: Person, id: string, to: string, clear_on_transfer = true) {
  const body = { eid: id, email: to, clear_on_transfer, show_sender: true }
  const transfer = await steps.post(anna, body)
  const answer = await steps.confirm(anna, transfer, await steps.codeTo(anna))
  expect(answer.status).toBe(200)
  await steps.codeTo({ email: to })
  return giftLinkTo(service, to)
}

async function annaWithId() {
  const anna = await newcomer(service, { isVerified: true })
  const id = await grant(admin, { user_id: anna.id })
  const insert = [{ tag: '0x1003', data: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' }]
  expect((await anna.patch(at(id), { insert })).status).toBe(200)
  return { anna, id }
}

describe('a gift', () => {
  it('reaches a new person, who sets a password on the page of the link, on a phone', async () => {
    const { anna, id } = await annaWithId()
    const email = newEmail()
    const link = await give(anna, id, email)
    const page = await phonePage()
    await page.goto(link)
    await page.getByRole('heading', { name: 'An emoji id for you' }).waitFor()
    await page.getByText(`From ${anna.email}`).waitFor()
    await page.getByText(`For ${email}`).waitFor()
    await page.getByText('Happy birthday!').waitFor()
    await page.getByText('Arrives empty').waitFor()
    // The token leaves the address; a reload opens the same offer.
    await expect.poll(() => page.url()).toMatch(/\/gift\?offer=[0-9a-f-]{36}$/)
    await page.reload()
    await page.getByLabel('Password').fill('password')
    await button(page, 'Choose a password and accept').click()
    await page
      .getByText(/common|guess/)
      .first()
      .waitFor()
    await page.getByLabel('Password').fill('crabs walk sideways at noon')
    await assertGoodLooks(page)
    await button(page, 'Choose a password and accept').click()
    await page.getByRole('heading', { name: 'It’s yours!' }).waitFor()
    await page.getByRole('link', { name: 'Add my addresses' }).click()
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await recordsOf(service, id)).toEqual([])
    expect(page.problems.filter((text) => !text.includes('422'))).toEqual([])
  })

  it('asks a person with a password to sign in, and asks for no code in this browser', async () => {
    const { anna, id } = await annaWithId()
    const bert = await register(service)
    const link = await offer(anna, id, bert.email, false)
    const page = await newPage()
    await page.goto(link)
    await page.getByText(`Sign in as ${bert.email} to accept it.`).waitFor()
    await page.getByRole('link', { name: 'Sign in to accept' }).click()
    await page.getByLabel('Email').first().fill(bert.email)
    await page.getByLabel('Password', { exact: true }).fill(bert.password)
    await button(page, 'Sign in').click()
    // The address has to be confirmed first, and the page says how.
    await button(page, 'Resend the link').click()
    await page.getByText('Email sent.').waitFor()
    const change = { email_verified_at: new Date() }
    await service.db.updateTable('users').set(change).where('id', '=', bert.id).execute()
    await page.reload()
    await button(page, 'Accept').waitFor()
    await page.getByText('1A1zP1eP…v7DivfNa').waitFor()
    const insert = [{ tag: '0x1004', data: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' }]
    expect((await anna.patch(at(id), { insert })).status).toBe(200)
    await button(page, 'Accept').click()
    await page.getByText('The sender changed what comes with this emoji id.').waitFor()
    await page.getByText('0x5aAeb6').waitFor()
    await button(page, 'Accept').click()
    await page.getByRole('heading', { name: 'It’s yours!' }).waitFor()
    await page.getByText('The sender’s addresses came with it').waitFor()
    await page.getByText('0x5aAeb6').waitFor()
    await assertGoodLooks(page)
    expect(await steps.ownerOf(id)).toEqual([bert.id])
    expect(page.problems.filter((text) => !text.includes('422'))).toEqual([])
  })

  it('is declined without an account, and its link then explains that it ended', async () => {
    const { anna, id } = await annaWithId()
    const link = await offer(anna, id, newEmail())
    const page = await phonePage()
    await page.goto(link)
    await button(page, 'Decline').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click()
    await page.getByText('The sender keeps the emoji id. We’ve told them.').waitFor()
    await page.goto('about:blank')
    await page.goto(link)
    await page.getByText('This link has expired, or the offer has ended.').waitFor()
    await assertGoodLooks(page)
    expect(await steps.ownerOf(id)).toEqual([anna.id])
    expect(page.problems.filter((text) => !text.includes('422'))).toEqual([])
  })

  it('names the other account to a person who is signed in with it, and needs the code in another browser', async () => {
    const { anna, id } = await annaWithId()
    const bert = await newcomer(service, { password: goodPassword, isVerified: true })
    const carl = await newcomer(service)
    const link = await offer(anna, id, bert.email)
    const page = await newPage()
    await openAs(service, page, carl, link.slice(service.webUrl.length))
    await page.getByText(`You’re signed in as ${carl.email}.`).waitFor()
    expect(await button(page, 'Accept').count()).toBe(0)
    await button(page, 'Sign out').last().click()
    await page.getByText(`Sign in as ${bert.email} to accept it.`).waitFor()

    const other = await newPage()
    await openAs(service, other, bert, '/gift')
    await other.getByText('accept it with the code from the email').waitFor()
    await other.getByRole('link', { name: 'See my transfers' }).click()
    await other.getByText(`From ${anna.email}`).waitFor()
    await button(other, /^Accept/).click()
    await other.getByText('a code that is valid for a day').waitFor()
    await other.getByLabel('Code', { exact: true }).fill(await steps.codeTo(bert))
    await button(other, 'Accept it').click()
    await other.getByText('It’s yours now.').waitFor()
    expect([...page.problems, ...other.problems]).toEqual([])
  })
})
