import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  assertHarmless,
  button,
  confirm,
  dialog,
  heading,
  hostile,
  link,
  reasonsOf,
  waitForStatus,
} from '../support/admin-pages.ts'
import { openBrowser } from '../support/browser.ts'
import { at, grant } from '../support/ids.ts'
import { goInApp } from '../support/in-app.ts'
import { newcomer, type Person, registerAs } from '../support/people.ts'
import { type TestService, testService } from '../support/service.ts'
import { assertDarkLooks, assertGoodLooks, openAs } from '../support/web-pages.ts'

const { newPage } = openBrowser()

let service: TestService
let admin: Person
let owner: Person
beforeAll(async () => {
  const env = {
    TRUST_PROXY: '127.0.0.1',
    TERMS_URL: 'https://example.com/terms',
    SUPPORT_URL: 'mailto:help@example.com',
  }
  service = await testService({ reachable: true, env })
  admin = await registerAs(service, 'Admin')
  owner = await newcomer(service)
})
afterAll(() => service?.close())

it('a visitor without scripts reports an id, and an operator decides with its history', async () => {
  const id = await grant(admin, { user_id: owner.id })
  const headers = { 'x-forwarded-for': '60.1.7.1' }
  const report = async (body: object) =>
    expect((await service.post(at(id, '/reports'), body, { headers })).status).toBe(200)
  const other = { category: 'other', text: 'They took the name of my company.' }
  await report(other)
  await report({ category: 'impersonation', text: 'They copied our logo.' })
  const visitor = await newPage({ script: false })
  await visitor.setExtraHTTPHeaders(headers)
  await visitor.goto(`${service.webUrl}/${encodeURIComponent(id)}`)
  await link(visitor, 'Report this emoji id').click()
  await heading(visitor, 'Report this emoji id').waitFor()
  await visitor.getByLabel('What is wrong?').selectOption('Fraud or a scam')
  await visitor.getByLabel('What happened?').fill(`They asked for money ${hostile}`)
  await visitor.getByLabel('Your email address').fill('reporter@example.com')
  await button(visitor, 'Send report').click()
  await heading(visitor, 'Thank you for your report').waitFor()
  await visitor.getByText('We’ll email you our decision.').waitFor()
  // The fourth report of a network is folded into its newest one.
  await report({ ...other, text: `They did it twice ${hostile}` })

  const page = await newPage()
  await page.goto(`${service.webUrl}/report/${encodeURIComponent(id)}`)
  await link(page, 'Terms').waitFor()
  await assertGoodLooks(page)

  await openAs(service, page, admin, '/admin/reports')
  const queue = page.getByRole('table', { name: 'Reports' })
  await queue.getByText('They asked for money').waitFor()
  await queue.getByText('1 other text').click()
  await queue.getByText('They did it twice <img').waitFor()
  await assertDarkLooks(page)
  await page.getByLabel('Category').selectOption('Something else')
  await queue.getByText('my company').waitFor()
  await queue.getByText('They asked for money').waitFor({ state: 'detached' })
  await page.getByLabel('Category').selectOption('All categories')
  await link(page, /^View.*Fraud or a scam/).click()
  await heading(page, 'Report: Fraud or a scam').waitFor()
  await page.getByText('reporter@example.com').waitFor()
  await link(page, owner.email).first().waitFor()
  await page.getByText('They did it twice <img').waitFor()
  await page.getByRole('table', { name: 'Other reports' }).getByText('my company').waitFor()
  await assertDarkLooks(page)
  await assertHarmless(page)

  await button(page, 'Decide …').click()
  await dialog(page).getByLabel('Decision').selectOption('Another decision')
  await dialog(page).getByLabel('Note to the reporter').fill(`We warned the owner. ${hostile}`)
  await confirm(page, 'Save decision', `First offence ${hostile}`)
  await waitForStatus(page, 'Decision saved.')
  await page.getByText('We warned the owner. <img').waitFor()
  await assertHarmless(page)
  expect(await button(page, 'Decide …').count()).toBe(0)
  expect(await reasonsOf(admin, 'report.decided')).toEqual([`First offence ${hostile}`])
  const open = await admin.get('/api/admin/reports?status=open')
  expect(open.json<{ paging: { total: number } }>().paging.total).toBe(0)

  // A decision that says the id is suspended suspends it.
  await report(other)
  await goInApp(page, '/admin/reports')
  await link(page, /^View.*Something else/).click()
  await button(page, 'Decide …').click()
  await dialog(page).getByLabel('Decision').selectOption('Suspended')
  await dialog(page).getByText('This emoji id isn’t suspended yet.').waitFor()
  await confirm(page, 'Suspend and save', `Fraud ${hostile}`)
  await waitForStatus(page, 'Emoji id suspended, decision saved.')
  expect((await service.get(at(id))).status).toBe(451)
  expect(await reasonsOf(admin, 'emoji_id.suspended')).toEqual([`Fraud ${hostile}`])

  // Operators find the suspension by its owner.
  await link(page, 'Suspended ids').click()
  const suspended = page.getByRole('table', { name: 'Suspended ids' })
  await suspended.getByText('Fraud <img').waitFor()
  await page.getByRole('searchbox').fill(owner.email)
  await page.waitForURL(/q=/)
  await suspended.getByText('Fraud <img').waitFor()
  await suspended.getByRole('link', { name: owner.email }).waitFor()
  await suspended.getByRole('link', { name: admin.email }).waitFor()

  // Reasons and reports appear as text on the page of the id and in the audit log.
  await goInApp(page, `/admin/ids/${encodeURIComponent(id)}`)
  const reports = page.getByRole('table', { name: 'Reports of this id' })
  await reports.getByText('They asked for money <img').waitFor()
  await page.getByText('Fraud <img').first().waitFor()
  await assertHarmless(page)
  await goInApp(page, `/admin/audit?id=${encodeURIComponent(id)}`)
  await page.getByText('Fraud <img').first().waitFor()
  const sentence = page.getByRole('row').filter({ hasText: 'suspended' }).last()
  expect(await sentence.textContent()).toMatch(
    new RegExp(`^${admin.email} suspended .* of ${owner.email}\\. Reason: Fraud`),
  )
  await assertDarkLooks(page)
  await assertHarmless(page)
})
