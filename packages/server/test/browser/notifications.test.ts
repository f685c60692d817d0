import { afterAll, beforeAll, expect, it } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import {
  confirmedUser,
  goodPassword,
  type MailedService,
  mailedService,
  newcomer,
  type Person,
  registerAs,
} from '../support/people.ts'
import { transferSteps } from '../support/transfers.ts'
import { assertGoodLooks, openAs } from '../support/web-pages.ts'

const { newPage } = openBrowser()

let service: MailedService
let admin: Person
beforeAll(async () => {
  service = await mailedService({ reachable: true })
  admin = await registerAs(service, 'Admin')
})
afterAll(() => service?.close())

it('the notification centre shows an offered id by touch on a telephone', async () => {
  const { bert, id } = await transferSteps(service, admin).offered()
  const page = await newPage({ phoneWidth: 390 })
  await openAs(service, page, bert, '/account')
  await page.getByRole('link', { name: 'Notifications 1 unread' }).tap()
  await page.getByRole('heading', { name: 'Notifications', level: 1 }).waitFor()
  await page.getByRole('heading', { name: 'Today' }).waitFor()
  await assertGoodLooks(page)
  await page.getByRole('button', { name: 'Mark all as read' }).tap()
  await page.getByText('All notifications are marked as read.').waitFor()
  await page.getByRole('link', { name: 'Notifications', exact: true }).waitFor()
  await page
    .getByRole('main')
    .getByRole('link', { name: /is offered to you/ })
    .tap()
  await page.waitForURL('**/account/transfers')
  await page.getByRole('table').getByRole('rowheader').first().waitFor()
  expect(id).toBeTruthy()
  expect(page.problems).toEqual([])
})

it('the empty notification centre leads people to the search and the watchlist', async () => {
  const anna = await newcomer(service, { isVerified: true })
  const page = await newPage()
  await openAs(service, page, anna, '/account/notifications')
  await page.getByText('Nothing has happened yet.').waitFor()
  await assertGoodLooks(page)
  await page.getByRole('link', { name: 'Open your watchlist' }).click()
  await page.getByText('No emoji ids on your watchlist.').waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Find an emoji id' }).waitFor()
  expect(page.problems).toEqual([])
})

it('the sign-in sends a deactivated person to the email that says why', async () => {
  const { id, email } = await confirmedUser(service, { password: goodPassword })
  const reason = 'The account sold ids that it did not own.'
  const answer = await admin.post(`/api/admin/users/${id}/deactivate`, { reason })
  expect(answer.status).toBe(200)
  const page = await newPage()
  await page.goto(`${service.webUrl}/sign-in`)
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill(goodPassword)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('If your account was deactivated, our email says why.').waitFor()
  await service.settle()
  const mail = service
    .mailsTo(email)
    .find(({ subject }) => subject === 'Your account was deactivated')
  expect(mail?.text).toContain(reason)
})
