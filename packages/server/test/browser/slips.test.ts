import { beforeAll, describe, expect, it } from 'vitest'
import { button, dialog, heading, link } from '../support/admin-pages.ts'
import { openBrowser, type TestPage } from '../support/browser.ts'
import { newcomer, type Person, registerAs } from '../support/people.ts'
import { type Site, sharedSite } from '../support/shared-site.ts'
import { transferSteps, wrongCode } from '../support/transfers.ts'
import { openAs } from '../support/web-pages.ts'

const { newPage } = openBrowser()

let service: Site
let admin: Person
let steps: ReturnType<typeof transferSteps>
beforeAll(async () => {
  service = await sharedSite()
  admin = await registerAs(service, 'Admin')
  steps = transferSteps(service, admin)
})

const signedIn = async (person: Person, path: string, look = {}) => {
  const page = await newPage(look)
  await openAs(service, page, person, path)
  return page
}
const leaving = (page: TestPage) =>
  page.getByRole('dialog', { name: /^Leave without (saving|storing)/ })

describe('a double click', () => {
  it('sends a wrong code once, even if the response arrives between the clicks', async () => {
    const { anna, code, transfer } = await steps.inserted('awaiting_sender')
    const page = await signedIn(anna, '/account/transfers')
    await button(page, /^Confirm.+/).click()
    const confirm = page.getByRole('button', { name: 'Confirm', exact: true })
    const field = page.getByLabel('Code', { exact: true })
    for (const delay of [0, 150]) {
      await field.fill(wrongCode(code))
      const acceptResponse = page.waitForResponse('**/sender_accept')
      await confirm.dblclick({ delay })
      await acceptResponse
      await page.getByText('This code is wrong.').waitFor()
    }
    expect(await steps.stateOf(transfer)).toBe('awaiting_sender')
    for (const _ of [3, 4]) await steps.confirm(anna, transfer, wrongCode(code))
    // The fifth code ends the transfer.
    await field.fill(wrongCode(code))
    await confirm.click()
    await page.getByText('too many wrong codes closed the transfer').waitFor()
    const buttons = dialog(page).getByRole('button')
    await expect.poll(() => buttons.allTextContents()).toEqual(['Close'])
  })
})

describe('unsaved changes', () => {
  it('unsaved changes of prices are guarded by a question', async () => {
    const page = await signedIn(admin, '/admin/prices')
    await link(page, 'New version').click()
    await page.getByLabel('Score from').fill('50')
    await page.getByLabel('US dollars').fill('77')
    await button(page, 'Apply').click()
    await page.getByText('1 price changed.').waitFor()
    await page.close({ runBeforeUnload: true })
    await expect.poll(() => page.problems).toEqual(['beforeunload: '])
    await link(page, 'Users').click()
    await leaving(page).waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('1 price changed.').waitFor()
    await page.evaluate(() => history.back())
    await leaving(page).waitFor()
    await button(page, 'Stay').click()
    await link(page, 'Users').click()
    await leaving(page).getByRole('button', { name: 'Leave' }).click()
    await heading(page, 'Users').waitFor()
  })
})

describe('without a connection', () => {
  const mark = (page: TestPage) => page.evaluate(() => Object.assign(globalThis, { isSame: true }))
  const isSame = (page: TestPage) => page.evaluate(() => 'isSame' in globalThis)

  it('keeps the app and loads the page once online; a new version reloads everything', async () => {
    const page = await signedIn(await newcomer(service), '/account/transfers', { isFresh: true })
    const isMissing = () => heading(page, 'This page couldn’t be loaded').waitFor()
    await heading(page, 'Transfers').first().waitFor()
    await mark(page)
    // The browser caches the failure.
    await page.context().setOffline(true)
    await link(page, 'Security').click()
    await isMissing()
    await page.getByRole('alert').getByText('You seem to be offline.').waitFor()
    await link(page, 'Transfers').waitFor()
    await button(page, 'Try again').click()
    await isMissing()
    await page.context().setOffline(false)
    await button(page, 'Set up an authenticator app').waitFor()
    expect(await isSame(page)).toBe(true)

    let isLoadedAnew = false
    page.on('request', (request) => {
      isLoadedAnew ||= request.isNavigationRequest()
    })
    await page.route('**/assets/page-*', (route) =>
      isLoadedAnew ? route.continue() : route.fulfill({ status: 404 }),
    )
    await link(page, 'Keys').click()
    await button(page, 'Create an API key').waitFor()
    expect(await isSame(page)).toBe(false)
  })
})
