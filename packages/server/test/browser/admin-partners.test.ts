import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
import { openBrowser, type TestPage } from '../support/browser.ts'
import { goInApp } from '../support/in-app.ts'
import { wallet, withWallet } from '../support/partner-pages.ts'
import { newcomer, type Person, registerAs } from '../support/people.ts'
import { enableApp } from '../support/second-factor.ts'
import { type TestService, testService } from '../support/service.ts'
import { assertDarkLooks, openAs } from '../support/web-pages.ts'

const { newPage } = openBrowser()

let service: TestService
let admin: Person
beforeAll(async () => {
  // A code counts as recent for this long.
  service = await testService({ reachable: true, env: { TWO_FACTOR_GRACE_SECONDS: '600' } })
  admin = await registerAs(service, 'Admin')
})
afterAll(() => service?.close())

const signedIn = async (path: string, person = admin) => {
  const page = await withWallet(await newPage())
  await openAs(service, page, person, path)
  return page
}

describe('an organization', () => {
  it('created here has members, and looks the same on its partner pages as in the preview', async () => {
    const page = await signedIn('/admin/organizations')
    await button(page, 'New organization').click()
    await dialog(page).getByLabel('Name').fill(hostile)
    await dialog(page).getByLabel('Partner path').fill('crab-wallet')
    await confirm(page, 'Create', 'They signed')
    await heading(page, hostile).waitFor()
    const organizationPath = new URL(page.url()).pathname
    expect(await reasonsOf(admin, 'organization.created')).toContain('They signed')
    await page.getByText('These pages aren’t live yet').waitFor()
    const preview = page.getByRole('region', { name: 'Preview' })
    await page.getByLabel('Return link').fill('javascript:alert(1)')
    await button(page, 'Save branding').click()
    await page.getByText('Enter a full https:// URL').waitFor()
    expect(await dialog(page).count()).toBe(0)
    await page.getByLabel('Return link').fill(`${wallet}/back`)
    await page.getByLabel('Logo URL', { exact: true }).fill(`${wallet}/logo.svg`)
    await page.getByLabel('Currencies').fill('BTC, NOPE')
    await button(page, 'Save branding').click()
    await confirm(page, 'Save branding', 'A mistake')
    await page.getByText('We don’t know the currency “NOPE”').waitFor()
    await page.getByLabel('Currencies').and(page.locator('[aria-invalid]')).waitFor()
    await dialog(page).waitFor({ state: 'detached' })
    await page.getByLabel('Currencies').fill('BTC, ETH')
    await preview.locator('img').first().waitFor()
    const intro = `long addresses, for ${hostile}.`
    await preview.getByText(intro).waitFor()
    await button(page, 'Save branding').click()
    await dialog(page).getByText(`${wallet}/back`).waitFor()
    await confirm(page, 'Save branding', 'Agreed by contract')
    await waitForStatus(page, 'Branding saved.')
    expect(await reasonsOf(admin, 'branding.changed')).toContain('Agreed by contract')
    await assertHarmless(page)
    const address = `${service.webUrl}/partner/crab-wallet`
    for (const end of ['', '/link-email', '/manage']) {
      const anchor = link(page, address + end).first()
      expect(await anchor.getAttribute('href')).toBe(address + end)
    }
    const [anna, bert] = [await newcomer(service), await newcomer(service)]
    await button(page, 'Add a member').click()
    await dialog(page).getByLabel('Email address or id').fill('unknown@example.com')
    await confirm(page, 'Add', 'Works for them')
    await dialog(page).getByText('No account has this').waitFor()
    // Shown once, at its field.
    expect(await dialog(page).getByRole('alert').count()).toBe(1)
    await button(page, 'Cancel').click()
    for (const [personName, role] of [
      [anna.email.toUpperCase(), 'OrgOwner'],
      [bert.id, 'OrgMember'],
    ] as const) {
      await button(page, 'Add a member').click()
      await dialog(page).getByLabel('Email address or id').fill(personName)
      await dialog(page).getByLabel('Role').selectOption(role)
      await confirm(page, 'Add', 'Works for them')
      await dialog(page).waitFor({ state: 'detached' })
    }
    await link(page, bert.email).waitFor()
    await assertDarkLooks(page)
    await button(page, `Change the role of ${bert.email}`).click()
    await dialog(page).getByLabel('Role').selectOption('OrgOwner')
    await confirm(page, 'Change the role', 'Heads the company now')
    await waitForStatus(page, 'Role changed.')
    await button(page, `Remove ${anna.email}`).click()
    await confirm(page, 'Remove', 'Left the company')
    await waitForStatus(page, 'Member removed.')
    const id = organizationPath.split('/').at(-1)
    const members = (await admin.get(`/api/admin/organizations/${id}/members`)).json<object[]>()
    expect(members).toMatchObject([{ user_id: bert.id, role: 'OrgOwner' }])
    expect((await reasonsOf(admin, 'organization.member_changed')).slice(0, 4)).toEqual([
      'Left the company',
      'Heads the company now',
      'Works for them',
      'Works for them',
    ])

    await goInApp(page, '/admin/organizations')
    await page.getByRole('rowheader').filter({ hasText: hostile }).waitFor()
    await goInApp(page, '/admin/organizations/x')
    await page.getByText('Organization not found.').waitFor()
    await link(page, 'All organizations').waitFor()

    // As a signed-out visitor.
    await page.context().clearCookies()
    await page.goto(address)
    await heading(page, 'Get your emoji id').waitFor()
    await page.getByText(intro).waitFor()
    await page.locator(`img[src="${wallet}/logo.svg"]`).waitFor()
  })
})

describe('an application', () => {
  /** The token endpoint checks the secret before the code: 400 for a known secret, 401 for another. */
  const isKnown = async (client_id: string, client_secret: string) => {
    const answer = await service.call('POST', '/auth/token', {
      raw: new URLSearchParams({
        grant_type: 'authorization_code',
        redirect_uri: callback,
        client_id,
        client_secret,
        code: 'none',
      }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    return { 400: true, 401: false }[answer.status]
  }
  const callback = 'https://crab.example.com/callback'
  const secretOn = (page: TestPage) =>
    page.getByRole('group', { name: 'Client secret' }).locator('code').textContent()

  it('is registered, has two secrets, and is deleted with a reason and a fresh code', async () => {
    const careful = await registerAs(service, 'Admin')
    const { app } = await enableApp(service, careful)
    await admin.post('/api/admin/organizations', { name: 'Crab Games' })
    const page = await signedIn('/admin/applications', careful)
    await link(page, 'New application').click()
    await page.getByLabel('Find the organization').fill('crab games')
    const organization = page.getByLabel('Organization', { exact: true })
    await expect
      .poll(() => organization.getByRole('option').allTextContents())
      .toEqual(['Crab Games'])
    await page.getByLabel('Name', { exact: true }).fill(hostile)
    await page.getByLabel('Redirect URIs').fill('http://evil.example/back')
    await page.getByLabel('Reason').fill('Their game goes live')
    await assertDarkLooks(page)
    await button(page, 'Register').click()
    await page.getByText('http://evil.example/back is not allowed').first().waitFor()
    await page.getByLabel('Redirect URIs').fill(`${callback}\n`)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await button(page, 'Register').click()
    const secret = String(await secretOn(page))
    expect(secret).toMatch(/^sec_/)
    expect(await reasonsOf(admin, 'application.created')).toContain('Their game goes live')
    await button(page, 'Copy the secret').click()
    await page.getByText('Copied', { exact: true }).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret)
    await link(page, 'Go to the application').click()
    await page.waitForURL('**/applications/app_*')
    await heading(page, 'Secrets').waitFor()
    expect(await page.content()).not.toContain(secret)
    const client_id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    expect(await isKnown(client_id, secret)).toBe(true)

    await button(page, 'Create another secret').click()
    await confirm(page, 'Create another secret', 'To change to it')
    await expect.poll(() => secretOn(page)).toMatch(/^sec_/)
    const second = String(await secretOn(page))
    expect(await isKnown(client_id, secret)).toBe(true)
    await button(page, /^Revoke ?: Secret 2$/).waitFor()
    const names = page.getByRole('button', { name: /^Revoke/ })
    expect(await names.allTextContents()).toEqual(['Revoke: Secret 1', 'Revoke: Secret 2'])
    await assertDarkLooks(page)
    await button(page, /^Revoke ?: Secret 1$/).click()
    await confirm(page, 'Revoke', 'It was in a log')
    await waitForStatus(page, 'Secret revoked.')
    expect(await isKnown(client_id, secret)).toBe(false)
    expect(await isKnown(client_id, second)).toBe(true)
    expect(await reasonsOf(admin, 'application.secret_made')).toEqual(['To change to it'])
    expect(await reasonsOf(admin, 'application.secret_deleted')).toEqual(['It was in a log'])
    await goInApp(page, `/admin/applications?q=${client_id}`)
    await page.getByText('1–1 of 1', { exact: true }).waitFor()

    await page.getByRole('rowheader').getByRole('link').click()
    service.clock.advance(11 * 60_000)
    await button(page, 'Delete the application').click()
    await confirm(page, 'Delete the application', 'The contract ended')
    const prompt = page.getByRole('dialog', { name: 'Enter your code' })
    await prompt.waitFor()
    expect((await admin.get(`/api/admin/oauth_clients/${client_id}`)).status).toBe(200)
    await prompt.getByLabel('Code').fill(app.next())
    await page.keyboard.press('Enter')
    await waitForStatus(page, 'Application deleted.')
    expect((await admin.get(`/api/admin/oauth_clients/${client_id}`)).status).toBe(404)
    expect(await reasonsOf(admin, 'application.deleted')).toEqual(['The contract ended'])
    expect(page.problems.filter((problem) => !/404|42[24]/.test(problem))).toEqual([])
  })
})
