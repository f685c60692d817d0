import { expect, it } from 'vitest'
import {
  assertHarmless,
  button,
  confirm,
  dialog,
  heading,
  hostile,
  link,
  reasonsOf,
} from '../support/admin-pages.ts'
import { openBrowser } from '../support/browser.ts'
import { at, grant } from '../support/ids.ts'
import { goInApp } from '../support/in-app.ts'
import { newcomer, registerAs } from '../support/people.ts'
import { sharedSite } from '../support/shared-site.ts'
import { assertDarkLooks, openAs, waitForAnnouncement } from '../support/web-pages.ts'

const { newPage } = openBrowser()

it('a visitor reports an id, and an operator suspends it with the history at hand', async () => {
  const service = await sharedSite()
  const [admin, owner] = [await registerAs(service, 'Admin'), await newcomer(service)]
  const id = await grant(admin, { user_id: owner.id })
  const report = async (body: object) =>
    expect((await service.post(at(id, '/reports'), body)).status).toBe(200)
  const other = { category: 'other', text: 'They took the name of my company.' }
  await report(other)
  await report({ category: 'impersonation', text: 'They copied our logo.' })
  const page = await newPage()
  await page.goto(`${service.webUrl}/${encodeURIComponent(id)}`)
  await link(page, 'Report this emoji id').click()
  await heading(page, 'Report this emoji id').waitFor()
  await assertDarkLooks(page)
  await page.getByLabel('What is wrong?').selectOption('Fraud or a scam')
  await page.getByLabel('What happened?').fill(`They asked for money ${hostile}`)
  await page.getByLabel('Your email address').fill('reporter@example.com')
  await button(page, 'Send report').click()
  await heading(page, 'Thank you for your report').waitFor()
  await page.getByText('We’ll email you our decision.').waitFor()
  // Reports of one network are folded, but this one has none.
  const foldedTexts = [{ text: `They did it twice ${hostile}`, at: service.clock.now() }]
  await service.db
    .updateTable('abuse_reports')
    .set({ times: 2, folded_texts: JSON.stringify(foldedTexts) })
    .where('emoji_id', '=', id)
    .where('category', '=', 'scam')
    .execute()

  await openAs(service, page, admin, '/admin/reports')
  const queue = page.getByRole('table', { name: 'Reports' })
  await queue.getByText('They asked for money').waitFor()
  await queue.getByText('1 other text').click()
  await queue.getByText('They did it twice <img').waitFor()
  await assertDarkLooks(page)
  await link(page, /^View.*Fraud or a scam/).click()
  await heading(page, 'Report: Fraud or a scam').waitFor()
  await page.getByText('reporter@example.com').waitFor()
  await link(page, owner.email).first().waitFor()
  await page.getByText('They did it twice <img').waitFor()
  await page.getByRole('table', { name: 'Other reports' }).getByText('my company').waitFor()
  await assertDarkLooks(page)
  await assertHarmless(page)

  await button(page, 'Decide …').click()
  await dialog(page).getByLabel('Decision').selectOption('Suspended')
  await dialog(page).getByText('This emoji id isn’t suspended yet.').waitFor()
  await confirm(page, 'Suspend and save', `Fraud ${hostile}`)
  await waitForAnnouncement(page, 'Emoji id suspended, decision saved.')
  await button(page, 'Decide …').waitFor({ state: 'detached' })
  expect((await service.get(at(id))).status).toBe(451)
  expect(await reasonsOf(admin, 'emoji_id.suspended')).toContain(`Fraud ${hostile}`)

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
