import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { askForLink, submitPassword } from '../support/application.ts'
import { openBrowser } from '../support/browser.ts'
import { type TestService, testService } from '../support/service.ts'
import { assertGoodPage } from '../support/web-pages.ts'

const { newPage } = openBrowser()

let service: TestService
let admin: { email: string; password: string }
beforeAll(async () => {
  let notices: string[] = []
  service = await testService({
    reachable: true,
    isDemoNew: true,
    override: (built) => {
      notices = built.notices
      return built
    },
  })
  const credentials = /^Administrator: (\S+) with the password (\S+) /
  const [, email = '', password = ''] =
    notices.map((line) => credentials.exec(line)).find(Boolean) ?? []
  admin = { email, password }
})
afterAll(() => service?.close())

const begin = async (page: Page) => {
  await page.goto(`${service.webUrl}/dev`)
  await page.getByRole('link', { name: 'Log in to Demo App' }).click()
  await expect.poll(() => page.title()).toBe('Log in with your emoji id')
}

it('the demo application accepts a denial, waits for an email, and shows who signed in', async () => {
  const page = await newPage()
  await begin(page)
  await page.getByRole('link', { name: 'Return to Demo App' }).click()
  await assertGoodPage(page, { title: 'Not signed in' })

  await begin(page)
  await askForLink(page, admin.email)
  await assertGoodPage(page, { title: 'Check your email' })

  await begin(page)
  await submitPassword(page, admin.email, admin.password)
  await page.getByRole('link', { name: 'Continue as fire, snake', exact: true }).click()
  await assertGoodPage(page, { title: 'Signed in' })
  expect(await page.getByRole('img', { name: 'emoji id: fire, snake' }).count()).toBe(1)
})
