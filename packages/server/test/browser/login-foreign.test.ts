import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Application, givePassword, startApplication } from '../support/application.ts'
import { foreignPage, openBrowser } from '../support/browser.ts'
import { grant } from '../support/ids.ts'
import { register, registerAs } from '../support/people.ts'
import { type TestService, testService } from '../support/service.ts'

const { newPage } = openBrowser()

let service: TestService
let application: Application
let owner: { email: string; id: string }
beforeAll(async () => {
  service = await testService({ reachable: true })
  const admin = await registerAs(service, 'Admin')
  application = await startApplication(service, admin)
  const { id: user_id, email } = await register(service)
  owner = { email, id: await grant(admin, { user_id }) }
})
afterAll(async () => {
  await application?.close()
  await service?.close()
})

/** A page of a browser in which the owner is signed in, and has told the application nothing yet. */
const signedIn = async () => {
  const page = await newPage()
  await page.goto(application.begin())
  await givePassword(page, owner.email)
  await expect.poll(() => page.title()).toBe('Choose an emoji id')
  return page
}
const chosen = () => application.begin({ svc: owner.id })
const grants = () =>
  service.db.selectFrom('oauth_grants').select('id').where('ended_at', 'is', null).execute()
const codes = () => service.db.selectFrom('oauth_codes').select('id').execute()
const forgetGrants = () =>
  service.db.updateTable('oauth_grants').set({ ended_at: new Date() }).execute()
const choose = async (page: Page) => {
  await page.getByRole('link', { name: 'Go on as' }).click()
  await expect.poll(() => page.title()).toBe('Logged in')
}
const sites = ['crossSite', 'sameSite'] as const
const attribute = (address: string) => address.replaceAll('&', '&amp;')
const followFrom = (site: (typeof sites)[number]) => async (page: Page) => {
  const foreign = await foreignPage(`<title>Chat</title><a href="${attribute(chosen())}">Look</a>`)
  await page.goto(foreign[site])
  await page.getByRole('link').click()
}

const ways = [
  { name: 'a link of another site', go: followFrom('crossSite') },
  { name: 'a link of the same site, on another origin', go: followFrom('sameSite') },
  { name: 'what was pasted into the address bar', go: (page: Page) => page.goto(chosen()) },
]

describe('somebody who is signed in, by an address that names their id (T79)', () => {
  it.each(ways)('tells nobody who they are, until they choose: $name', async ({ go }) => {
    await forgetGrants()
    const before = await codes()
    const page = await signedIn()
    await go(page)
    await expect.poll(() => page.title()).toBe('Choose an emoji id')
    expect(page.url()).toContain(`${service.webUrl}/auth/authorize?`)
    expect([await codes(), await grants()]).toEqual([before, []])

    await choose(page)
    expect(await page.getByRole('status').textContent()).toBe(owner.id)
    expect(await grants()).toHaveLength(1)
  })

  it('goes on at once where they chose it before, but never from another site', async () => {
    const page = await signedIn()
    await choose(page)
    await page.goto(chosen())
    expect(await page.title()).toBe('Logged in')
    expect(await page.getByRole('status').textContent()).toBe(owner.id)

    const before = await codes()
    await followFrom('crossSite')(page)
    await expect.poll(() => page.title()).toBe('Choose an emoji id')
    expect(await codes()).toEqual(before)
  })

  it.each(sites)('tells nobody anything by a picture or a request unseen (%s)', async (site) => {
    const page = await signedIn()
    await choose(page)
    const before = await codes()
    const foreign = await foreignPage(`<title>Chat</title><img alt="" src="${attribute(chosen())}">
      <script>
        const ask = (mode) => fetch(${JSON.stringify(chosen())}, { credentials: 'include', mode })
        const ended = (asked) => asked.then(() => 'read', () => 'kept')
        Promise.all(['cors', 'no-cors'].map((mode) => ended(ask(mode)))).then((outcomes) => {
          document.title = outcomes.join()
        })
      </script>`)
    await page.goto(foreign[site])
    await expect.poll(() => page.title()).toBe('kept,read')
    expect(await codes()).toEqual(before)
  })

  it.each(sites)('is shown nothing inside a page of somebody else (T80, %s)', async (site) => {
    const page = await signedIn()
    await choose(page)
    const before = await codes()
    const foreign = await foreignPage(`<iframe src="${attribute(chosen())}"></iframe>`)
    await page.goto(foreign[site])
    await expect
      .poll(() => page.problems)
      .toContainEqual(expect.stringContaining('frame-ancestors'))
    expect(await page.frames()[1]?.getByRole('link').count()).toBe(0)
    expect(await codes()).toEqual(before)
  })
})
