import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { askForLink, submitPassword } from '../support/application.ts'
import { openBrowser } from '../support/browser.ts'
import { type TestService, testService } from '../support/service.ts'
import { assertDarkLooks } from '../support/web-pages.ts'

const { newPage } = openBrowser()

/** Stores its emails for /dev instead of sending them. */
let service: TestService
let folder: string | undefined
let admin: { email: string; password: string }
beforeAll(async () => {
  const notices: string[] = []
  folder = await mkdtemp(join(tmpdir(), 'emojid-demo-'))
  service = await testService({
    reachable: true,
    env: { ROLES: 'api,auth,web,worker', DATA_DIR: folder },
    isDemoNew: true,
    announce: (line) => notices.push(line),
  })
  const credentials = /^Administrator: (\S+) with the password (\S+) /
  const [, email = '', password = ''] =
    notices.map((line) => credentials.exec(line)).find(Boolean) ?? []
  admin = { email, password }
})
afterAll(async () => {
  await service?.close()
  if (folder) await rm(folder, { recursive: true })
})

const openLogin = async (page: Page) => {
  await page.getByRole('link', { name: 'Log in to Demo App' }).click()
  await expect.poll(() => page.title()).toBe('Log in with your emoji id')
}

it('the demo application waits for an email, and shows who signed in', async () => {
  const page = await newPage()
  await page.goto(`${service.webUrl}/dev`)
  await openLogin(page)
  await askForLink(page, admin.email)
  await expect.poll(() => page.title()).toBe('Check your email')

  const mails = async () => (await service.get('/dev/mail.json')).json<object[]>()
  await expect.poll(async () => (await mails()).length).toBeGreaterThan(0)
  await page.goto(`${service.webUrl}/dev`)
  await expect.poll(() => page.title()).toBe('Development')
  await assertDarkLooks(page)
  await openLogin(page)
  await submitPassword(page, admin.email, admin.password)
  await page.getByRole('link', { name: 'Continue as fire, snake', exact: true }).click()
  await expect.poll(() => page.title()).toBe('Signed in')
  await assertDarkLooks(page)
  expect(await page.getByRole('img', { name: 'emoji id: fire, snake' }).count()).toBe(1)
  expect(page.problems).toEqual([])
})
