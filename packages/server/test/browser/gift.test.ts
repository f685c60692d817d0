import { beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, type TestPage } from '../support/browser.ts'
import { giftLinkTo } from '../support/gifts.ts'
import { at, grant, recordsOf } from '../support/ids.ts'
import { goodPassword, newcomer, newEmail, type Person, registerAs } from '../support/people.ts'
import { type Site, sharedSite } from '../support/shared-site.ts'
import { transferSteps } from '../support/transfers.ts'
import { assertDarkLooks, openAs } from '../support/web-pages.ts'

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

/** Offers an id to a mailbox, and returns the emailed link. */
async function offer(anna: Person, id: string, to: string, clear_on_transfer = true) {
  const message = 'Happy birthday!'
  const body = { eid: id, email: to, clear_on_transfer, show_sender: true, message }
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
    const link = await offer(anna, id, email)
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
    await assertDarkLooks(page)
    await button(page, 'Choose a password and accept').click()
    await page.getByRole('heading', { name: 'It’s yours!' }).waitFor()
    const editor = page.getByRole('link', { name: 'Add my addresses' })
    expect(await editor.getAttribute('href')).toContain(encodeURIComponent(id))
    expect(await recordsOf(service, id)).toEqual([])
    expect(page.problems.filter((text) => !text.includes('422'))).toEqual([])
  })

  it('a gift of a minted id needs the consent that its token does not come along', async () => {
    const { anna, id } = await annaWithId()
    const email = newEmail()
    const link = await offer(anna, id, email)
    const path = `/api/admin/emoji_ids/${encodeURIComponent(id)}/minted`
    expect((await admin.put(path, { minted: true })).status).toBe(200)
    const page = await phonePage()
    await page.goto(link)
    await page.getByText('its token does not come along').waitFor()
    await page.getByLabel('Password').fill('crabs walk sideways at noon')
    const consent = page.getByLabel('I accept the emoji id without its token')
    await button(page, 'Choose a password and accept').click()
    expect(await consent.evaluate((box: HTMLInputElement) => box.validity.valueMissing)).toBe(true)
    await assertDarkLooks(page)
    await consent.check()
    await button(page, 'Choose a password and accept').click()
    await page.getByRole('heading', { name: 'It’s yours!' }).waitFor()
  })

  it('asks a person with a password to sign in, and asks for no code in this browser', async () => {
    const { anna, id } = await annaWithId()
    const bert = await newcomer(service, { password: goodPassword, isVerified: true })
    const link = await offer(anna, id, bert.email, false)
    const page = await newPage()
    await page.goto(link)
    await page.getByText(`Sign in as ${bert.email} to accept it.`).waitFor()
    await page.getByRole('link', { name: 'Sign in to accept' }).click()
    expect(await page.getByLabel('Email').first().inputValue()).toBe(bert.email)
    expect(page.url()).not.toContain(encodeURIComponent(bert.email))
    await page.getByLabel('Password', { exact: true }).fill(bert.password)
    await button(page, 'Sign in').click()
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
    expect(await steps.ownerOf(id)).toEqual([bert.id])
    expect(page.problems.filter((text) => !text.includes('422'))).toEqual([])
  })

  it('a gift needs the code in another browser, names the other account to its user, and is declined without a sign-in', async () => {
    const { anna, id } = await annaWithId()
    const bert = await newcomer(service, { isVerified: true })
    const carl = await newcomer(service)
    const link = await offer(anna, id, bert.email)
    const page = await newPage()
    await openAs(service, page, bert, '/gift')
    await page.getByText('accept it with the code from the email').waitFor()
    await page.getByRole('link', { name: 'See my transfers' }).click()
    await page.getByText(`From ${anna.email}`).waitFor()

    await openAs(service, page, carl, link.slice(service.webUrl.length))
    await page.getByText(`You’re signed in as ${carl.email}.`).waitFor()
    expect(await button(page, 'Accept').count()).toBe(0)
    await button(page, 'Sign out').last().click()
    await page.getByText(`Sign in as ${bert.email} to accept it.`).waitFor()
    await button(page, 'Decline').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click()
    await page.getByText('The sender keeps the emoji id. We’ve told them.').waitFor()
    await page.goto('about:blank')
    await page.goto(link)
    await page.getByText('This link has expired, or the offer has ended.').waitFor()
    expect(await steps.ownerOf(id)).toEqual([anna.id])
    expect(page.problems.filter((text) => !text.includes('422'))).toEqual([])
  })
})
