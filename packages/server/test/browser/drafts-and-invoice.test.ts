import { afterAll, beforeAll, expect, it } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { grant } from '../support/ids.ts'
import { newcomer, type Person, registerAs } from '../support/people.ts'
import { type TestService, testService } from '../support/service.ts'
import { openAs } from '../support/web-pages.ts'

const { newPage } = openBrowser()

let service: TestService
let admin: Person
beforeAll(async () => {
  service = await testService({ reachable: true })
  admin = await registerAs(service, 'Admin')
})
afterAll(() => service?.close())

it('the editor keeps the draft of the page tab over a reload, until it is saved', async () => {
  const anna = await newcomer(service, { isVerified: true })
  const id = await grant(admin, { user_id: anna.id })
  const page = await newPage()
  const path = `/account/ids/${encodeURIComponent(id)}/page`
  await openAs(service, page, anna, path)
  const name = page.getByLabel('Name', { exact: true })
  await name.fill('Anna')
  // The browser asks, since a closed tab would lose the draft.
  page.removeAllListeners('dialog')
  page.on('dialog', (question) => void question.accept())
  await page.reload()
  await expect.poll(() => name.inputValue()).toBe('Anna')
})

it('the app removes the notice of a lost connection once the browser is online again', async () => {
  const anna = await newcomer(service, { isVerified: true })
  const page = await newPage()
  await openAs(service, page, anna, '/account/transfers')
  await page.getByText('No incoming transfers.').waitFor()
  await page.getByRole('link', { name: 'See my emoji ids' }).waitFor()
  await page.context().setOffline(true)
  await page.getByLabel('Include accepted transfers').check()
  await page.getByText('You seem to be offline.').first().waitFor()
  await page.context().setOffline(false)
  await expect.poll(() => page.getByText('You seem to be offline.').count()).toBe(0)
})
