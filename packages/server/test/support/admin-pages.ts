import { expect } from 'vitest'
import type { TestPage } from './browser.ts'
import type { Person } from './people.ts'

/** Text that would run as script or markup if it were not escaped. */
export const hostile = '<img src=x onerror=alert(1)>"><svg onload=alert(2)>'

export const button = (page: TestPage, name: string | RegExp) => page.getByRole('button', { name })
export const link = (page: TestPage, name: string | RegExp) => page.getByRole('link', { name })
export const heading = (page: TestPage, name: string | RegExp) =>
  page.getByRole('heading', { name })
export const dialog = (page: TestPage) => page.getByRole('dialog')

/** Confirms the dialog before a dangerous action. */
export async function confirm(page: TestPage, action: string, reason: string) {
  await dialog(page).getByLabel('Reason').fill(reason)
  await dialog(page).getByRole('button', { name: action, exact: true }).click()
}

/** The reasons in the audit log, newest first. */
export const reasonsOf = async (admin: Pick<Person, 'get'>, event: string) =>
  (await admin.get(`/api/admin/audit?event=${event}`))
    .json<{ data: { details: { reason?: string } }[] }>()
    .data.map(({ details }) => details.reason)

/** Names are escaped (T104). */
export async function assertHarmless(page: TestPage) {
  expect(await page.locator('img[src="x"], svg[onload]').count()).toBe(0)
  // Missing branding is a 404.
  const unexpected = page.problems.filter((problem) => !problem.endsWith('/branding'))
  expect(unexpected).toEqual([])
}
