import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, type TestPage } from '../support/browser.ts'
import { at, grant, newId } from '../support/ids.ts'
import { goInApp } from '../support/in-app.ts'
import {
  confirmedUser,
  type MailedService,
  mailedService,
  type Person,
  registerAs,
} from '../support/people.ts'
import { keyPair } from '../support/schnorr.ts'
import { transferSteps, wrongCode } from '../support/transfers.ts'
import { assertGoodLooks, openAs } from '../support/web-pages.ts'

const { newPage } = openBrowser()

let service: MailedService
let admin: Person
let steps: ReturnType<typeof transferSteps>
beforeAll(async () => {
  service = await mailedService({ reachable: true })
  admin = await registerAs(service, 'Admin')
  steps = transferSteps(service, admin)
})
afterAll(() => service?.close())

const button = (page: TestPage, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' })
const rowsOf = (page: TestPage, table: string) =>
  page.getByRole('table', { name: table }).getByRole('rowheader')
const signedIn = async (who: Person, path: string) => {
  const page = await newPage()
  await openAs(service, page, who, path)
  return page
}

/** Fills the form as far as the question whether it is meant. */
async function offer(page: TestPage, id: string, to: string, message = '') {
  await button(page, 'Send an emoji id').click()
  await page.locator(`input[type=radio][value="${id}"]`).check()
  await page.getByLabel('Their e-mail address').fill(to)
  await page.getByLabel('A message to them').fill(message)
  await button(page, 'Go on').click()
}

describe('an emoji id', () => {
  it('goes from one person to another with the codes of their mails', async () => {
    const [anna, bert] = [await confirmedUser(service), await confirmedUser(service)]
    const id = await grant(admin, { user_id: anna.id })
    const bitcoin = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'
    const insert = [
      { tag: '0x1003', data: bitcoin },
      { tag: '0x5001', data: 'Anna' },
    ]
    expect((await anna.patch(at(id), { insert })).status).toBe(200)
    const page = await signedIn(anna, '/account/transfers')
    await page.getByText('You have sent no emoji id.').waitFor()
    await offer(page, id, bert.email, '<img src=x onerror=alert(1)> for you')
    await page.getByRole('dialog', { name: 'Send this emoji id?' }).waitFor()
    await assertGoodLooks(page)
    await button(page, 'Send it').click()

    const code = await steps.codeTo(anna)
    await page.getByLabel('Code', { exact: true }).fill(wrongCode(code))
    await button(page, 'Confirm').click()
    await page.getByText('This code is wrong.').waitFor()
    await button(page, 'Later').click()
    await page.getByText('Your code is missing').waitFor()
    // Nothing of the table is cut off.
    const isWhole = page.getByRole('table').evaluate(({ parentElement: frame }) => {
      return frame !== null && frame.scrollWidth <= frame.clientWidth
    })
    expect(await isWhole).toBe(true)
    await assertGoodLooks(page)
    await button(page, /^Give the code/).click()
    await button(page, 'Mail another code').click()
    await page.getByText('A code was sent less than a minute ago.').waitFor()
    await page.getByLabel('Code', { exact: true }).fill(code)
    await button(page, 'Confirm').click()
    await page.getByText('Waiting for them').waitFor()

    // The mail leads to the page, and the page to whoever is signed in.
    const theirs = await steps.codeTo(bert)
    const mail = service.mailsTo(bert.email).at(-1)?.text ?? ''
    expect(mail).toContain(`${service.webUrl}/account/transfers`)
    await openAs(service, page, bert, '/account/transfers')
    await page.getByText('Offered to you').waitFor()
    await page.getByText('Who that is, we do not show').waitFor()
    await page.getByText('<img src=x onerror=alert(1)> for you').waitFor()
    await page.getByText('Arrives with 2 records').waitFor()
    const luggage = 'Addresses that come along, as they are now'
    const along = page.getByRole('list', { name: luggage }).getByRole('listitem')
    await expect.poll(() => along.allTextContents()).toEqual(['Bitcoin (BTC) 1A1zP1eP…v7DivfNa'])
    await button(page, /^Accept/).click()
    const dialog = page.getByRole('dialog', { name: 'Accept the emoji id' })
    await dialog.getByText('1A1zP1eP…v7DivfNa').waitFor()
    await dialog.getByText('check each once it is yours').waitFor()
    await page.getByLabel('Code', { exact: true }).fill(theirs)
    await assertGoodLooks(page)
    await button(page, 'Accept it').click()
    await page.getByText('It is yours now.').waitFor()
    await page.getByText('Nobody is sending you an emoji id.').waitFor()
    await page.getByLabel('Show those that I have accepted too').check()
    await page.getByText('It is among your emoji ids.').waitFor()
    await expect.poll(() => new URL(page.url()).searchParams.get('accepted')).toBe('too')
    expect(await steps.ownerOf(id)).toEqual([bert.id])

    await goInApp(page, '/account')
    await page.getByText('It has just changed hands: it can be sent on from').waitFor()
    await goInApp(page, `/account/transfers?send=${encodeURIComponent(id)}`)
    await page.getByText('It has just changed hands: you can send it from').waitFor()
    expect(await page.locator(`input[type=radio][value="${id}"]`).isDisabled()).toBe(true)
    await page.getByRole('link', { name: 'Emoji ids', exact: true }).click()
    await page.getByRole('link', { name: /^Manage/ }).click()
    await page.getByRole('link', { name: 'History', exact: true }).click()
    await page.getByText('or was behind this emoji id before').waitFor()
    await openAs(service, page, anna, '/account/transfers')
    await page.getByText('Handed over').waitFor()
    expect(page.problems.filter((text) => !/42[29]/.test(text))).toEqual([])
  })

  it('goes to a public key, from the link that names it, and stays when it is called off', async () => {
    const [anna, bert] = [await confirmedUser(service), await confirmedUser(service)]
    const id = await grant(admin, { user_id: anna.id })
    await grant(admin, { user_id: anna.id })
    const theirs = await grant(admin, { user_id: bert.id })
    const sending = (one: string) => `/account/transfers?send=${encodeURIComponent(one)}`
    const page = await signedIn(anna, sending(theirs))
    // What is somebody else's is not chosen by a link.
    await page.getByText('None of your emoji ids is like that.').waitFor()
    await page.getByLabel('Their e-mail address').fill(bert.email)
    await button(page, 'Go on').click()
    await page.getByText('Choose the emoji id that you want to send.').waitFor()
    // The address does not begin again what was given up.
    await button(page, 'Cancel').click()
    await page.waitForURL(`${service.webUrl}/account/transfers`)
    await button(page, 'Send an emoji id').waitFor()

    await page.getByRole('link', { name: 'Emoji ids', exact: true }).click()
    await page.getByText('1–2 of 2').waitFor()
    await goInApp(page, sending(id))
    await page.locator(`input[type=radio][value="${id}"]:checked`).waitFor()
    await page.getByLabel('A public key').check()
    const [pubkey = ''] = (await bert.get('/api/pubkeys')).json<string[]>()
    await page.getByLabel('Their public key').fill(keyPair().pubkey)
    await button(page, 'Go on').click()
    await button(page, 'Send it').click()
    await page.getByText('No account has this key').waitFor()
    await button(page, 'Cancel').last().click()
    await page.getByLabel('Their public key').fill(pubkey)
    await button(page, 'Go on').click()
    await page.getByRole('dialog').getByText(`It is to go to ${pubkey}.`).waitFor()
    await button(page, 'Send it').click()
    await page.getByLabel('Code', { exact: true }).fill(await steps.codeTo(anna))
    await button(page, 'Confirm').click()
    await page.getByText('Waiting for them').waitFor()
    const incoming = async () => (await bert.get('/api/transfers/incoming')).json()
    expect(await incoming()).toMatchObject([{ eid: id }])

    await button(page, /^Call off/).click()
    await button(page, 'Call it off').click()
    await page.getByText('The transfer is called off.').waitFor()
    await rowsOf(page, 'Emoji ids that you sent').first().waitFor()
    await expect.poll(() => button(page, /^Call off/).count()).toBe(0)
    expect(await incoming()).toEqual([])
    expect(await steps.ownerOf(id)).toEqual([anna.id])
    expect(page.problems.filter((text) => !text.includes('422'))).toEqual([])
  })
})

describe('interests', () => {
  it('are added with what was understood, told of once it is free, and removed', async () => {
    const [anna, bert] = [await confirmedUser(service), await confirmedUser(service)]
    const id = await grant(admin, { user_id: bert.id })
    const page = await signedIn(anna, '/account/interests')
    await page.getByText('You wait for no emoji id.').waitFor()
    const field = page.getByLabel('Emojis or their names')
    await field.fill(newId())
    await page.getByRole('link', { name: 'It is free: get it' }).waitFor()
    for (let left = 6; left > 0; left--) await field.press('Backspace')
    await field.fill(id)
    await page.getByText('Somebody has it').waitFor()
    await page.getByText('You can be told when it becomes free.').waitFor()
    expect(await page.getByText(/close to it|Arrow down/).count()).toBe(0)
    await button(page, 'Tell me when it becomes free').click()
    const rows = rowsOf(page, 'Emoji ids that you wait for')
    await rows.first().waitFor()
    await page.getByRole('table').getByText('Somebody has it').waitFor()

    await admin.delete(`/api/admin/emoji_ids/${encodeURIComponent(id)}`)
    await service.settle()
    await page.reload()
    await page.getByText('Became free').waitFor()
    await assertGoodLooks(page)
    await button(page, /^Remove/).click()
    await button(page, 'Stop waiting').click()
    await page.getByText('You wait for no emoji id.').waitFor()
    expect(page.problems).toEqual([])
  })
})
