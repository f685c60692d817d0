import type { Locator } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, type TestPage } from '../support/browser.ts'
import { at, grant } from '../support/ids.ts'
import { goInApp } from '../support/in-app.ts'
import { goodPassword, newcomer, newEmail, type Person, registerAs } from '../support/people.ts'
import { type Site, sharedSite } from '../support/shared-site.ts'
import { assertDarkLooks, hasFocus, openAs, tabTo } from '../support/web-pages.ts'

const { newPage } = openBrowser()

let service: Site
let admin: Person
let anna: Person
beforeAll(async () => {
  service = await sharedSite()
  admin = await registerAs(service, 'Admin')
  anna = await newcomer(service, { password: goodPassword })
  for (const id of ['🔥🐍🦀🔥', '🚀💎🚀💎']) await grant(admin, { user_id: anna.id }, id)
})

const heading = (page: TestPage, name: string) => page.getByRole('heading', { name, level: 1 })
const finder = (page: TestPage) => page.getByRole('searchbox')
const signedIn = async (person: Person, path: string) => {
  const page = await newPage()
  await openAs(service, page, person, path)
  return page
}

/** Users that share one creation time. */
async function makeUsers(count: number, name: string) {
  const at = new Date()
  const unset = {
    email_verified_at: null,
    claimed_at: null,
    alternate_id: null,
    source: null,
    last_name: null,
    password_hash: null,
    activation_source: null,
    partner_transaction_id: null,
    two_factor_last_prompted_at: null,
    deactivated_at: null,
    deleted_at: null,
  }
  const one = () => ({
    ...unset,
    first_name: name,
    email: newEmail(),
    created_at: at,
    updated_at: at,
  })
  await service.db
    .insertInto('users')
    .values(Array.from({ length: count }, one))
    .execute()
}

describe('the account', () => {
  it('asks visitors to sign in, returns them to their page, finds an id, and works with the keyboard', async () => {
    const page = await newPage()
    await page.goto(`${service.webUrl}/account/orders`)
    await heading(page, 'Your account').waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
    await page.getByLabel('Email address').fill(anna.email)
    await page.getByLabel('Password').fill(goodPassword)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await heading(page, 'Orders').waitFor()
    expect(new URL(page.url()).pathname).toBe('/account/orders')
    const links = page.getByRole('navigation', { name: 'Account' }).getByRole('link')
    // The journeys of these sections start at these paths.
    const wantedSections =
      ' transfers interests orders payment-methods lootboxes security keys webhooks organizations profile'
    expect(await sectionsOf(links)).toEqual(wantedSections.split(' '))
    // A user has no access to the administration.
    expect(await page.getByRole('link', { name: 'Admin' }).count()).toBe(0)

    await links.getByText('Emoji ids', { exact: true }).click()
    await goInApp(page, '/account')
    const rows = page.getByRole('table', { name: 'Your emoji ids' }).getByRole('rowheader')
    await expect.poll(() => rows.count()).toBe(2)
    expect(await rows.first().getByRole('img').first().getAttribute('aria-label')).toContain(
      'rocket',
    )
    await page.getByText('1–2 of 2').waitFor()
    await tabTo(page, 'Skip sections')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await hasFocus(finder(page))).toBe(true)
    await page.keyboard.type('snake')
    await expect.poll(() => rows.count()).toBe(1)
    await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('snake')
    await tabTo(page, /^Your account: p-/)
    await tabTo(page, 'Security')
    await page.keyboard.press('Enter')
    await heading(page, 'Security').waitFor()
    await expect.poll(() => page.title()).toContain('Security')
    // The next stop is the section, not the navigation again.
    const isAtSection = () => page.evaluate(() => document.activeElement?.id === 'section')
    await expect.poll(isAtSection).toBe(true)
    const current = page.getByRole('navigation', { name: 'Account' }).locator('[aria-current]')
    await expect.poll(() => current.allTextContents()).toEqual(['Security'])

    const section = page.getByRole('link', { name: 'Emoji ids', exact: true })
    await section.click()
    await page.getByRole('link', { name: /^Manage.*snake/ }).click()
    await page.getByRole('navigation', { name: /^Sections of fire, snake/ }).waitFor()
    expect(await section.getAttribute('aria-current')).toBe('true')
    expect(page.problems).toEqual([])
  })

  it('releases an id, and links to the search when none is left', async () => {
    const bert = await newcomer(service)
    const id = await grant(admin, { user_id: bert.id })
    const page = await signedIn(bert, `/account/ids/${encodeURIComponent(id)}`)
    await page.getByRole('button', { name: 'Release this emoji id' }).click()
    const releaseDialog = page.getByRole('dialog', { name: 'Release this emoji id' })
    await releaseDialog.getByRole('button', { name: 'Release it' }).click()
    expect((await service.get(at(id))).status).toBe(200)
    await releaseDialog.getByLabel('I no longer want it').check()
    await releaseDialog.getByRole('button', { name: 'Release it' }).click()
    await page.getByText('You don’t own an emoji id yet.').waitFor()
    expect((await service.get(at(id))).status).toBe(404)
    const isAtSection = () => page.evaluate(() => document.activeElement?.id === 'section')
    await expect.poll(isAtSection).toBe(true)
    expect(page.problems).toEqual([])
    const search = page.getByRole('link', { name: 'Find an emoji id' })
    expect(await search.getAttribute('href')).toBe('/')
  })
})

it('the administration links to each section, lists users by page, role and text, and ends with the role', async () => {
  // Names are escaped (T104).
  await makeUsers(51, 'Zebedee <img src=x onerror=alert(1)>')
  const [operator, bot] = [await registerAs(service, 'Admin'), await registerAs(service, 'Bot')]
  const page = await signedIn(operator, '/account')
  await page.getByRole('link', { name: 'Admin', exact: true }).click()
  await heading(page, 'Overview').waitFor()
  const sections = page.getByRole('navigation', { name: 'Administration' })
  await sections.getByRole('link', { name: 'Users' }).click()
  await heading(page, 'Users').waitFor()
  const rows = page.getByRole('table', { name: 'Users' }).getByRole('rowheader')
  await finder(page).fill('zebedee')
  await page.getByText('1–50 of 51').waitFor()
  await page.getByText('Zebedee <img').first().waitFor()
  await page.getByRole('link', { name: 'Next' }).click()
  await page.getByText('51–51 of 51').waitFor()
  await expect.poll(() => rows.count()).toBe(1)
  // A page beyond the end redirects to the last one.
  await goInApp(page, '/admin/users?q=zebedee&page=99')
  await page.getByText('51–51 of 51').waitFor()
  await expect.poll(() => page.url()).toBe(`${service.webUrl}/admin/users?q=zebedee&page=2`)
  expect(await finder(page).inputValue()).toBe('zebedee')

  // Another filter starts at the first page.
  await page.getByLabel('Role').selectOption('Bot')
  await page.getByText('No matching users.').waitFor()
  await finder(page).fill(bot.email)
  await page.getByText('1–1 of 1', { exact: true }).waitFor()
  await page.getByRole('link', { name: bot.email }).waitFor()
  expect(new URL(page.url()).searchParams.get('role')).toBe('Bot')
  expect(await page.getByRole('table').evaluate(findBrokenWords)).toEqual([])
  await assertDarkLooks(page)

  const links = page.getByRole('navigation', { name: 'Administration' }).getByRole('link')
  // The journeys of these sections start at these paths.
  const wantedSections =
    ' ids users orders disputes reports suspensions reserved codes lootboxes prices organizations' +
    ' applications webhooks tokens audit jobs'
  expect(await sectionsOf(links)).toEqual(wantedSections.split(' '))
  expect(page.problems).toEqual([])

  // The text of a search stays as it was written.
  await goInApp(page, '/admin/users?q=1234e567')
  await expect.poll(() => finder(page).inputValue()).toBe('1234e567')
  await page.getByText('No matching users.').waitFor()
  await service.db
    .updateTable('users')
    .set({ role: 'User' })
    .where('id', '=', operator.id)
    .execute()
  await finder(page).fill('any user')
  await heading(page, 'Administrators only').waitFor()
})

/** The last parts of the links of a navigation. */
const sectionsOf = (links: Locator) =>
  links.evaluateAll((all) =>
    all.map((link) => link.getAttribute('href')?.replace(/^\/(account|admin)\/?/, '')),
  )

/** Runs in the page: words and amounts on more than one line, beside a long address. */
function findBrokenWords(element: Element): string[] {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  const slips: string[] = []
  while (texts.nextNode()) {
    const node = texts.currentNode as Text
    for (const { 0: word, index } of node.data.matchAll(/\S+/g)) {
      const range = document.createRange()
      range.setStart(node, index)
      range.setEnd(node, index + word.length)
      const isShown = node.parentElement?.closest('.sr-only') === null
      if (isShown && range.getClientRects().length > 1 && !node.data.includes('@')) slips.push(word)
    }
  }
  return slips
}
