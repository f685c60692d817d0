import { parseEmojiId, rhythmScore } from '@emojid/core'
import { beforeAll, describe, expect, it } from 'vitest'
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
import { at, grant, newId } from '../support/ids.ts'
import { goInApp } from '../support/in-app.ts'
import { type Box, type BoxType, makeType } from '../support/lootboxes.ts'
import { type Person, registerAs } from '../support/people.ts'
import { type Site, sharedSite } from '../support/shared-site.ts'
import { assertDarkLooks, openAs, waitForAnnouncement } from '../support/web-pages.ts'

const { newPage } = openBrowser()

let service: Site
let admin: Person
beforeAll(async () => {
  service = await sharedSite()
  admin = await registerAs(service, 'Admin')
})

const signedIn = async (path: string) => {
  const page = await newPage()
  await openAs(service, page, admin, path)
  return page
}
describe('lootboxes', () => {
  it('lootboxes of a new type have the odds of the live preview', async () => {
    const page = await signedIn('/admin/lootboxes/types/new')
    await page.getByLabel('Name').fill(hostile)
    await page.getByLabel('Ids per box').fill('4')
    await button(page, 'Add a guarantee').click()
    const guarantee = page.getByRole('group', { name: 'Guarantee 1' })
    await guarantee.getByLabel('Count').fill('1')
    await guarantee.getByLabel('From').fill('40')
    await guarantee.getByLabel('To').fill('50')
    await button(page, 'Add a chance').click()
    const chance = page.getByRole('group', { name: 'Chance 1' })
    await chance.getByLabel('From').fill('61')
    await chance.getByLabel('To').fill('70')
    await chance.getByLabel('One in').fill('0.5')
    await page.getByText('“One in” is at least 1').waitFor()
    await chance.getByLabel('One in').fill('3')
    const odds = page.getByRole('table', { name: /^Odds of/ })
    const cells = () => odds.first().getByRole('cell').allTextContents()
    const first = async () => (await cells()).slice(0, 5)
    await expect.poll(first).toEqual(['33.33%', '70.37%', '66.67%', '100%', '100%'])
    const texts = await cells()
    await page.getByText(/^Value of a box/).waitFor()
    await assertDarkLooks(page)

    await page.getByLabel('Reason').fill('For the winter fair')
    await button(page, 'Create type').click()
    await heading(page, 'Lootbox types').waitFor()
    const types = (await admin.get('/api/lootbox_type')).json<BoxType[]>()
    const type = types.find(({ name }) => name === hostile)
    expect(await reasonsOf(admin, 'lootbox_type.created')).toContain('For the winter fair')
    const percent = (text = '') => Number(text.replace('%', '')) / 100
    const ofService = type?.odds.ranges.flatMap((one) => [one.probability, one.at_least_one]) ?? []
    expect(ofService).toHaveLength(4)
    for (const [nth, exact] of ofService.entries()) {
      expect(percent(texts[nth])).toBeCloseTo(exact, 4)
    }
    await heading(page, hostile).waitFor()
    await assertHarmless(page)
  })

  it('lootboxes are drawn or filled by hand, found, given and deleted with a reason', async () => {
    const type = await makeType(admin, { size: 2 })
    const owner = await registerAs(service, 'User')
    const page = await signedIn('/admin/lootboxes')
    await button(page, 'Draw boxes').click()
    await dialog(page).getByLabel('Type').selectOption(type.id)
    await dialog(page).getByLabel('Number of boxes').fill('2')
    await confirm(page, 'Draw', 'Stock for May')
    await waitForAnnouncement(page, '2 boxes drawn.')
    await page.getByLabel('Type').selectOption(type.id)
    await page.getByText('1–2 of 2', { exact: true }).waitFor()

    await link(page, /^Box [0-9a-f]{8}/)
      .first()
      .click()
    await button(page, 'Give').click()
    await dialog(page).getByLabel('Email address').fill(`x${owner.email}`)
    await confirm(page, 'Give', 'Won our contest')
    await dialog(page).getByText('No account uses this address.').waitFor()
    await dialog(page).getByLabel('Email address').fill(owner.email)
    await confirm(page, 'Give', 'Won our contest')
    await waitForAnnouncement(page, 'Box given.')
    const own = (await owner.get('/api/lootboxes')).json<{ data: Box[] }>()
    expect(own.data.map(({ lootbox_type_id }) => lootbox_type_id)).toEqual([type.id])

    await page.goBack()
    await page.getByLabel('State').selectOption('Draft')
    await page.getByText('1–1 of 1', { exact: true }).waitFor()
    await link(page, /^Box [0-9a-f]{8}/)
      .first()
      .click()
    await button(page, 'Delete').click()
    await confirm(page, 'Delete', 'One too many')
    await waitForAnnouncement(page, 'Box deleted.')
    expect(await reasonsOf(admin, 'lootbox.deleted')).toContain('One too many')

    await button(page, 'Fill a box').click()
    await dialog(page).getByLabel('Emoji ids').fill(newId())
    await confirm(page, 'Create box', 'A prize')
    await waitForAnnouncement(page, 'Box created.')
    await page
      .getByRole('img', { name: /^emoji id/ })
      .first()
      .waitFor()
    await button(page, 'Make available').click()
    await confirm(page, 'Make available', 'It sells')
    await waitForAnnouncement(page, 'The box is available.')
    await expect.poll(() => button(page, 'Change ids').count()).toBe(0)
    await assertDarkLooks(page)
    expect(page.problems.filter((problem) => !/40[04]|422/.test(problem))).toEqual([])
  })
})

describe('prices', () => {
  const priceOf = async (id: string) => {
    const answer = await service.get(`/api/emoji_id/search?emoji_id=${encodeURIComponent(id)}`)
    return answer.json<{ result: { price: number } }>().result.price
  }

  it('prices are previewed, put into effect, and charged to buyers', async () => {
    const id = newId()
    const score = rhythmScore(parseEmojiId(id))
    const page = await signedIn('/admin/prices')
    await heading(page, 'Version 0 is in effect').waitFor()
    await page.getByRole('application', { name: /^Price by score/ }).waitFor()
    await assertDarkLooks(page)
    await link(page, 'New version').click()
    await page.getByLabel('Emoji ids').fill(id)
    const row = page.getByRole('row').filter({ has: page.getByRole('img', { name: /^emoji id/ }) })
    await row.getByText('Unchanged').waitFor()
    const before = await priceOf(id)
    const dollars = (cents: number) =>
      new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(cents / 100)
    await row.getByText(dollars(before)).first().waitFor()
    await page.getByLabel('Score from').fill(String(score))
    await page.getByLabel('US dollars').fill('1234.5')
    await button(page, 'Apply').click()
    await row.getByText('$1,234.50', { exact: true }).waitFor()
    await row.getByText(`+${dollars(123_450 - before)}`).waitFor()
    await page.getByText('1 of 100 prices differ from the current version.').waitFor()
    await assertDarkLooks(page)
    await button(page, 'Put into effect').click()
    await confirm(page, 'Put into effect', 'Demand <b>rose</b>')
    await heading(page, 'Version 1 is in effect').waitFor()
    await page.getByRole('table', { name: 'Versions' }).getByText('Demand <b>rose</b>').waitFor()
    await assertHarmless(page)

    expect(await priceOf(id)).toBe(123_450)

    // Also for the next tests with this service.
    await goInApp(page, '/admin/prices/new?from=0')
    await button(page, 'Put into effect').click()
    await confirm(page, 'Put into effect', 'It was a mistake')
    await heading(page, 'Version 2 is in effect').waitFor()
    expect(await priceOf(id)).toBe(before)
  })
})

describe('tokens', () => {
  it('show whose signature locks an id, and are marked as minted with a reason', async () => {
    const anna = await registerAs(service, 'User')
    const id = await grant(admin, { user_id: anna.id })
    const account = `0x${'5'.repeat(40)}`
    const signAnswer = await anna.post(at(id, '/generate_signature'), { account })
    expect(signAnswer.status).toBe(200)

    const page = await signedIn('/admin/tokens?state=signed')
    const row = page.getByRole('row').filter({ hasText: account })
    await row.getByText('Locked until').waitFor()
    await row.getByRole('link', { name: anna.email }).first().waitFor()
    await assertDarkLooks(page)
    await row.getByRole('button', { name: 'Mark as minted …' }).click()
    await dialog(page).getByLabel('Reason').fill('Transaction 0x77')
    await dialog(page).getByRole('button', { name: 'Mark as minted', exact: true }).click()
    await row.getByText('Minted', { exact: true }).waitFor()
    await expect.poll(() => reasonsOf(admin, 'token.minted')).toContain('Transaction 0x77')

    // Free limits are not offered while FREE_CEILING_CENTS is 0.
    await goInApp(page, `/admin/users/${anna.id}`)
    await page.getByText('Role', { exact: true }).first().waitFor()
    expect(await button(page, 'Change free limit …').count()).toBe(0)

    await openAs(service, page, anna, '/account')
    await page.getByText('A mint signature was issued. The id is locked until').waitFor()
    expect(page.problems).toEqual([])
  })
})
