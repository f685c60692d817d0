import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Application, startApplication, submitPassword } from '../support/application.ts'
import { foreignPage, openBrowser } from '../support/browser.ts'
import { grant } from '../support/ids.ts'
import { goodPassword, newcomer, registerAs } from '../support/people.ts'
import { type Site, sharedSite } from '../support/shared-site.ts'

const { newPage } = openBrowser()

let service: Site
let application: Application
let owner: { user_id: string; email: string; id: string }
beforeAll(async () => {
  service = await sharedSite()
  const admin = await registerAs(service, 'Admin')
  application = await startApplication(service, admin)
  const { id: user_id, email } = await newcomer(service, { password: goodPassword })
  owner = { user_id, email, id: await grant(admin, { user_id }) }
})
afterAll(() => application?.close())

const choiceUrl = () => application.begin({ svc: owner.id })
const grants = () =>
  service.db
    .selectFrom('oauth_grants')
    .select('id')
    .where('user_id', '=', owner.user_id)
    .where('ended_at', 'is', null)
    .execute()
const codes = () =>
  service.db.selectFrom('oauth_codes').select('id').where('user_id', '=', owner.user_id).execute()
const attribute = (address: string) => address.replaceAll('&', '&amp;')

it('a link that names the id of a signed-in owner signs in by their choice only, and nothing silently or in a frame (T79, T80)', async () => {
  const page = await newPage()
  await page.goto(application.begin())
  await submitPassword(page, owner.email)
  await expect.poll(() => page.title()).toBe('Choose an emoji id')
  const chat = await foreignPage(`<title>Chat</title><a href="${attribute(choiceUrl())}">Look</a>`)
  const followLink = async () => {
    await page.goto(chat.crossSite)
    await page.getByRole('link').click()
  }
  const paste = () => page.goto(choiceUrl())
  for (const go of [followLink, paste]) {
    await go()
    await expect.poll(() => page.title()).toBe('Choose an emoji id')
    expect(page.url()).toContain(`${service.webUrl}/auth/authorize?`)
    expect([await codes(), await grants()]).toEqual([[], []])
  }
  await page.getByRole('link', { name: 'Continue as' }).click()
  await expect.poll(() => page.title()).toBe('Logged in')
  expect(await page.getByRole('status').textContent()).toBe(owner.id)
  expect(await grants()).toHaveLength(1)

  await paste()
  expect(await page.title()).toBe('Logged in')
  expect(await page.getByRole('status').textContent()).toBe(owner.id)
  const before = await codes()
  await followLink()
  await expect.poll(() => page.title()).toBe('Choose an emoji id')

  const foreign = await foreignPage(`<title>Chat</title><img alt="" src="${attribute(choiceUrl())}">
    <iframe src="${attribute(choiceUrl())}"></iframe>
    <script>
      const ask = (mode) => fetch(${JSON.stringify(choiceUrl())}, { credentials: 'include', mode })
      const ended = (asked) => asked.then(() => 'read', () => 'kept')
      Promise.all(['cors', 'no-cors'].map((mode) => ended(ask(mode)))).then((outcomes) => {
        document.title = outcomes.join()
      })
    </script>`)
  for (const site of ['crossSite', 'sameSite'] as const) {
    page.problems.length = 0
    await page.goto(foreign[site])
    await expect.poll(() => page.title()).toBe('kept,read')
    await expect
      .poll(() => page.problems)
      .toContainEqual(expect.stringContaining('frame-ancestors'))
    expect(await page.frames()[1]?.getByRole('link').count()).toBe(0)
  }
  expect(await codes()).toEqual(before)
})
