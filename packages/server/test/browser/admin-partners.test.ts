import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
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
import { openBrowser, type TestPage } from '../support/browser.ts'
import { goInApp } from '../support/in-app.ts'
import { placeMember } from '../support/members.ts'
import { wallet, withWallet } from '../support/partner-pages.ts'
import { newcomer, type Person, registerAs } from '../support/people.ts'
import { enableApp } from '../support/second-factor.ts'
import { type Site, sharedSite } from '../support/shared-site.ts'
import { assertDarkLooks, openAs, waitForAnnouncement } from '../support/web-pages.ts'

const { newPage } = openBrowser()

let service: Site
let admin: Person
beforeAll(async () => {
  service = await sharedSite()
})
beforeEach(async () => {
  admin = await registerAs(service, 'Admin')
})

const signedIn = async (path: string, person = admin) => {
  const page = await withWallet(await newPage())
  await openAs(service, page, person, path)
  return page
}

describe('an organization', () => {
  it('created here has a preview of its partner pages, and members', async () => {
    const page = await signedIn('/admin/organizations')
    const partnerPath = `p-${randomUUID()}`
    await button(page, 'New organization').click()
    await dialog(page).getByLabel('Name').fill(hostile)
    await dialog(page).getByLabel('Partner path').fill(partnerPath)
    await confirm(page, 'Create', 'They signed')
    await heading(page, hostile).waitFor()
    await page.getByText('These pages aren’t live yet').waitFor()
    const preview = page.getByRole('region', { name: 'Preview' })
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
    await preview.getByText(`long addresses, for ${hostile}.`).waitFor()
    await button(page, 'Save branding').click()
    await dialog(page).getByText(`${wallet}/back`).waitFor()
    await confirm(page, 'Save branding', 'Agreed by contract')
    await waitForAnnouncement(page, 'Branding saved.')
    expect(await reasonsOf(admin, 'branding.changed')).toContain('Agreed by contract')
    await assertHarmless(page)
    const address = `${service.webUrl}/partner/${partnerPath}`
    expect(await link(page, address).first().getAttribute('href')).toBe(address)
    const bert = await newcomer(service)
    await button(page, 'Add a member').click()
    await dialog(page).getByLabel('Email address or id').fill('unknown@example.com')
    await confirm(page, 'Add', 'Works for them')
    await dialog(page).getByText('No account has this').waitFor()
    await dialog(page).getByLabel('Email address or id').fill(bert.email.toUpperCase())
    await dialog(page).getByLabel('Role').selectOption('OrgMember')
    await confirm(page, 'Add', 'Works for them')
    await link(page, bert.email).waitFor()
    await assertDarkLooks(page)
    await button(page, `Change the role of ${bert.email}`).click()
    await dialog(page).getByLabel('Role').selectOption('OrgController')
    await confirm(page, 'Change the role', 'Manages it now')
    await waitForAnnouncement(page, 'Role changed.')
    const id = new URL(page.url()).pathname.split('/').at(-1)
    const listMembers = async () =>
      (await admin.get(`/api/admin/organizations/${id}/members`)).json<object[]>()
    expect(await listMembers()).toMatchObject([{ user_id: bert.id, role: 'OrgController' }])
    await button(page, `Remove ${bert.email}`).click()
    await confirm(page, 'Remove', 'Left the company')
    await waitForAnnouncement(page, 'Member removed.')
    expect(await listMembers()).toEqual([])
    expect((await reasonsOf(admin, 'organization.member_changed')).slice(0, 3)).toEqual([
      'Left the company',
      'Manages it now',
      'Works for them',
    ])

    await goInApp(page, '/admin/organizations')
    await page.getByRole('rowheader').filter({ hasText: hostile }).waitFor()
    await goInApp(page, '/admin/organizations/x')
    await page.getByText('Organization not found.').waitFor()
    await link(page, 'All organizations').waitFor()
  })
})

describe('an invitation', () => {
  it('an invitation is made and withdrawn here; the person accepts it in the account, and leaves there', async () => {
    const created = await admin.post('/api/admin/organizations', { name: hostile })
    const { id } = created.json<{ id: string }>()
    const carl = await newcomer(service, { isVerified: true })
    const page = await signedIn(`/admin/organizations/${id}`)
    const invite = async (email: string) => {
      await button(page, 'Invite a member').click()
      await dialog(page).getByLabel('Email address').fill(email)
      await dialog(page).getByLabel('Role').selectOption('OrgController')
      await confirm(page, 'Invite', 'Runs their shop')
      await waitForAnnouncement(page, `${email} was invited.`)
    }
    const wrongAddress = `wrong-${carl.email}`
    await invite(wrongAddress)
    await button(page, `Withdraw the invitation of ${wrongAddress}`).click()
    await confirm(page, 'Withdraw', 'A typo')
    await waitForAnnouncement(page, 'Invitation withdrawn.')
    await invite(carl.email)
    await page.getByRole('table', { name: 'Open invitations' }).getByText(carl.email).waitFor()
    await assertDarkLooks(page)

    const account = await signedIn('/account/organizations', carl)
    await heading(account, 'Invitations').waitFor()
    await assertDarkLooks(account)
    await account.getByRole('button', { name: 'Accept' }).click()
    await dialog(account).getByText('will see your email address, your account id').waitFor()
    await button(account, 'Accept').last().click()
    await waitForAnnouncement(account, `You are a member of ${hostile}.`)
    await account.getByRole('table', { name: 'Your memberships' }).getByText('Controller').waitFor()
    expect(await account.getByText('Invitations', { exact: true }).count()).toBe(0)
    const members = `/api/admin/organizations/${id}/members`
    expect((await admin.get(members)).json()).toMatchObject([{ user_id: carl.id }])

    await account.getByRole('button', { name: 'Leave' }).click()
    await dialog(account).getByText('You can’t act for the organization any more').waitFor()
    await button(account, 'Leave').last().click()
    await waitForAnnouncement(account, `You left ${hostile}.`)
    await account.getByText('You are not a member of an organization').waitFor()
    await assertHarmless(account)
    expect((await admin.get(members)).json()).toEqual([])
  })
})

describe('an owner', () => {
  it('invites, promotes and removes members in the account', async () => {
    const created = await admin.post('/api/admin/organizations', { name: hostile })
    const { id } = created.json<{ id: string }>()
    const [olga, carl] = [await newcomer(service), await newcomer(service, { isVerified: true })]
    await placeMember(admin, id, olga, 'OrgOwner')
    const page = await signedIn('/account/organizations', olga)
    await heading(page, `Members of ${hostile}`).waitFor()
    const invite = async (email: string) => {
      await button(page, 'Invite a member').click()
      await dialog(page).getByLabel('Email address').fill(email)
      await dialog(page).getByRole('button', { name: 'Invite' }).click()
      await waitForAnnouncement(page, `${email} was invited.`)
    }
    await invite(`wrong-${carl.email}`)
    await button(page, `Withdraw the invitation of wrong-${carl.email}`).click()
    await dialog(page).getByRole('button', { name: 'Withdraw' }).click()
    await waitForAnnouncement(page, 'Invitation withdrawn.')
    await invite(carl.email)
    const account = await signedIn('/account/organizations', carl)
    await button(account, 'Accept').click()
    await dialog(account).getByRole('button', { name: 'Accept' }).click()
    await waitForAnnouncement(account, `You are a member of ${hostile}.`)
    expect(await heading(account, `Members of ${hostile}`).count()).toBe(0)

    await page.reload()
    await button(page, `Change the role of ${carl.email}`).click()
    await dialog(page).getByLabel('Role').selectOption('OrgOwner')
    await dialog(page).getByRole('button', { name: 'Change the role' }).click()
    await waitForAnnouncement(page, 'Role changed.')
    await page.getByText('Not accepted').waitFor()
    await assertDarkLooks(page)
    await account.reload()
    await account.getByText('An owner made you one').waitFor()
    await account.getByRole('button', { name: 'Accept' }).click()
    await dialog(account).getByRole('button', { name: 'Accept' }).click()
    await waitForAnnouncement(account, `You are a member of ${hostile}.`)
    await account.getByText('An owner made you one').waitFor({ state: 'detached' })

    await button(account, `Remove ${olga.email}`).click()
    await dialog(account).getByRole('button', { name: 'Remove' }).click()
    await waitForAnnouncement(account, 'Member removed.')
    await assertHarmless(account)
    const members = `/api/admin/organizations/${id}/members`
    expect((await admin.get(members)).json()).toMatchObject([
      { user_id: carl.id, role: 'OrgOwner' },
    ])
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

  it('an application is registered, has two secrets, and is deleted with a reason and a fresh code', async () => {
    const careful = await registerAs(service, 'Admin')
    const { app } = await enableApp(service, careful)
    service.clock.advance(10 * 60_000)
    const organizationName = `Crab Games ${randomUUID()}`
    await admin.post('/api/admin/organizations', { name: organizationName })
    const page = await signedIn('/admin/applications', careful)
    await link(page, 'New application').click()
    await page.getByLabel('Find the organization').fill(organizationName.toLowerCase())
    const organization = page.getByLabel('Organization', { exact: true })
    await expect
      .poll(() => organization.getByRole('option').allTextContents())
      .toEqual([organizationName])
    await page.getByLabel('Name', { exact: true }).fill(hostile)
    await page.getByLabel('Redirect URIs').fill('http://evil.example/back')
    await page.getByLabel('Reason').fill('Their game goes live')
    await assertDarkLooks(page)
    expect(await page.getByText('Your account has no second factor').count()).toBe(0)
    await button(page, 'Register').click()
    await page.getByText('http://evil.example/back is not allowed').first().waitFor()
    await page.getByLabel('Redirect URIs').fill(`${callback}\n`)
    await button(page, 'Register').click()
    const secret = String(await secretOn(page))
    expect(secret).toMatch(/^sec_/)
    await link(page, 'Go to the application').click()
    await page.waitForURL('**/applications/app_*')
    await heading(page, 'Secrets').waitFor()
    expect(await page.content()).not.toContain(secret)
    const client_id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    await button(page, 'Create another secret').click()
    await confirm(page, 'Create another secret', 'To change to it')
    await expect.poll(() => secretOn(page)).toMatch(/^sec_/)
    const second = String(await secretOn(page))
    expect(await isKnown(client_id, secret)).toBe(true)
    await button(page, /^Revoke ?: Secret 2$/).waitFor()
    await assertDarkLooks(page)
    await button(page, /^Revoke ?: Secret 1$/).click()
    await confirm(page, 'Revoke', 'It was in a log')
    await waitForAnnouncement(page, 'Secret revoked.')
    expect(await isKnown(client_id, secret)).toBe(false)
    expect(await isKnown(client_id, second)).toBe(true)
    await goInApp(page, `/admin/applications?q=${client_id}`)
    await page.getByText('1–1 of 1', { exact: true }).waitFor()

    await page.getByRole('rowheader').getByRole('link').click()
    // A code counts as recent for 15 minutes.
    service.clock.advance(6 * 60_000)
    const colleague = await registerAs(service, 'Admin')
    await button(page, 'Delete the application').click()
    await confirm(page, 'Delete the application', 'The contract ended')
    const prompt = page.getByRole('dialog', { name: 'Enter your code' })
    await prompt.waitFor()
    expect((await colleague.get(`/api/admin/oauth_clients/${client_id}`)).status).toBe(200)
    await prompt.getByLabel('Code').fill(app.next())
    await page.keyboard.press('Enter')
    await waitForAnnouncement(page, 'Application deleted.')
    expect((await colleague.get(`/api/admin/oauth_clients/${client_id}`)).status).toBe(404)
    expect(await reasonsOf(colleague, 'application.deleted')).toContain('The contract ended')
    expect(page.problems.filter((problem) => !/404|42[24]/.test(problem))).toEqual([])
  })
})
