import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, type TestPage } from '../support/browser.ts'
import { goInApp } from '../support/in-app.ts'
import {
  type Box,
  type BoxProof,
  type BoxType,
  generate,
  makeBox,
  typeBody,
} from '../support/lootboxes.ts'
import { type Person, registerAs } from '../support/people.ts'
import { type TestService, testService } from '../support/service.ts'
import { buyer } from '../support/shop.ts'
import { assertDarkLooks, assertGoodLooks, hasFocus, openAs } from '../support/web-pages.ts'

const { newPage } = openBrowser()

let service: TestService
let admin: Person
let type: BoxType
const markup = '<img src=x onerror=alert(1)><script>alert(2)</script>'
beforeAll(async () => {
  service = await testService({ reachable: true, env: { LOOTBOX_SALE: 'true' } })
  admin = await registerAs(service, 'Admin')
  const weights = [{ ipr: 4, min_score: 31, max_score: 45 }]
  const guarantees = [{ count: 1, min_score: 40, max_score: 60 }]
  const body = typeBody({ max_base_score: 30, weights, guarantees }, 900)
  const typeResponse = await admin.post('/api/lootbox_type', { ...body, description: markup })
  type = typeResponse.json<BoxType>()
})
afterAll(() => service?.close())

const button = (page: TestPage, name: string | RegExp) => page.getByRole('button', { name })
/** Shows the details of the proof. */
const unfold = (page: TestPage) =>
  page.getByText('How we prove the contents').evaluate((summary) => {
    const details = summary.closest('details')
    if (details) details.open = true
  })
const heading = (page: TestPage, name: string) => page.getByRole('heading', { level: 1, name })
const check = (page: TestPage, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 4, name }) })
const pathOf = ({ id }: Box) => `/account/lootboxes/${id}`

async function drawnFor(person: Person): Promise<Box> {
  const [box] = (await generate(admin, type.id)).loot_boxes as [Box]
  const change = { status: 'Owned', owner_id: person.id }
  return (await admin.patch(`/api/lootboxes/${box.id}`, change)).json<Box>()
}
const openedBy = async (person: Person, box: Box) =>
  (await person.post(`/api/lootboxes/${box.id}/open`)).json<Box>()

/** The service shows other odds than those of the draw. */
const tellOdds = (page: TestPage, change: (told: BoxType) => Partial<BoxType>) =>
  page.route('**/api/lootboxes/*', async (route) => {
    const response = await route.fetch()
    const box: Box = await response.json()
    const lootbox_type = box.lootbox_type && { ...box.lootbox_type, ...change(box.lootbox_type) }
    await route.fulfill({ response, json: { ...box, lootbox_type } })
  })
const withWeight = (config: BoxType['config'], ipr: number) => ({
  ...config,
  weights: config.weights.map((weight) => ({ ...weight, ipr })),
})
const oddsTable = (page: TestPage) => page.getByRole('table', { name: 'Odds of each rhythm score' })
const fits = (page: TestPage, title: string) =>
  page.getByRole('status').getByText(title, { exact: true }).waitFor()
const isNotVerified = (page: TestPage) =>
  page.getByRole('alert').getByText('Not verified', { exact: true }).waitFor()

/** A man in the middle changes the proof of a box. */
const tamper = (page: TestPage, change: (proof: BoxProof) => Partial<BoxProof>) =>
  page.route('**/api/lootboxes/*/proof', async (route) => {
    const response = await route.fetch()
    const proof: BoxProof = await response.json()
    await route.fulfill({ response, json: { ...proof, ...change(proof) } })
  })

describe('a lootbox', () => {
  it('a lootbox shows its odds before the purchase, opens, and is verified by the browser', async () => {
    const [page, anna] = [await newPage(), await buyer(service)]
    const [box] = (await generate(admin, type.id)).loot_boxes as [Box]
    await admin.patch(`/api/lootboxes/${box.id}`, { status: 'Available' })
    await openAs(service, page, anna, '/account/lootboxes/for-sale')
    await heading(page, 'Lootboxes for sale').waitFor()
    await page.getByRole('row').filter({ hasText: '$9.00' }).waitFor()
    await assertDarkLooks(page)
    await page.getByRole('link', { name: /^See the odds/ }).click()
    // Operator texts stay text (T104).
    await page.getByText(markup).waitFor()
    const row = '31 to 45 25% (1 in 4) 43.8% (1 in 2.3)'
    await oddsTable(page).getByRole('row', { name: row }).waitFor()
    await page.getByText('One of them has a guaranteed rhythm score of 40 to 60.').waitFor()
    await button(page, 'Add to cart').click()
    await heading(page, 'Your cart').waitFor()
    const order = await anna.cart()
    const cash = { method: 'Cash', amount: order.total_in_cents, external_reference: 'till 1' }
    const payment = await admin.post(`/api/cart/checkout/${order.id}`, cash)
    expect(payment.json()['status']).toBe('Paid')

    await page.goto(`${service.webUrl}/orders/${order.id}`)
    await page.getByRole('heading', { name: 'Your lootbox is ready' }).waitFor()
    await page.getByRole('link', { name: 'Go to the lootbox' }).click()
    await heading(page, type.name).waitFor()
    await unfold(page)
    await page.getByText(box.seed_hash, { exact: true }).waitFor()
    for (const yat of box.yats) expect(await page.content()).not.toContain(yat)
    await button(page, 'Open the box').click()
    await button(page, 'Open it').click()
    const title = page.getByRole('heading', { name: 'Opened: you got 3 emoji ids.' })
    await expect.poll(() => hasFocus(title)).toBe(true)
    await fits(page, 'Verified')
    await unfold(page)
    await expect.poll(() => page.getByText('Matches', { exact: true }).count()).toBe(7)
    await check(page, 'The seals are unchanged').waitFor()
    await page.getByText('All the numbers').click()
    await assertGoodLooks(page)
    expect((await anna.get('/api/emoji_id')).json<string[]>().toSorted()).toEqual(
      box.yats.toSorted(),
    )
    await page.getByRole('link', { name: 'Your lootboxes' }).click()
    await page.getByText('1–1 of 1', { exact: true }).waitFor()
    expect(page.problems).toEqual([])
  })

  it('a lootbox is not verified if it was resealed, or if its odds differ from its draw', async () => {
    const [page, anna] = [await newPage(), await buyer(service)]
    const [box, other] = [await drawnFor(anna), await drawnFor(anna)]
    await openAs(service, page, anna, pathOf(box))
    await unfold(page)
    await page.getByText(box.seed_hash, { exact: true }).waitFor()
    await openedBy(anna, box)
    // The published data is consistent, but belongs to another box.
    await openedBy(anna, other)
    const forgedProof = (await anna.get(`/api/lootboxes/${other.id}/proof`)).json<BoxProof>()
    await tamper(page, () => forgedProof)
    await page.reload()
    await isNotVerified(page)
    await unfold(page)
    await check(page, 'The seals are unchanged').getByText('Doesn’t match').waitFor()
    await unfold(page)
    await check(page, 'You got the sealed contents').getByText('Doesn’t match').waitFor()
    await unfold(page)
    await check(page, 'Repeating the draw').getByText('Matches', { exact: true }).waitFor()
    await page.unrouteAll()

    const boxOfOtherOdds = await drawnFor(anna)
    const certain = type.odds.ranges.map((one) => ({ ...one, probability: 1 }))
    await tellOdds(page, ({ config }) => ({
      odds: { ...type.odds, ranges: certain },
      config: withWeight(config, 2),
    }))
    await goInApp(page, pathOf(boxOfOtherOdds))
    // The page computes the odds from the numbers, whatever the service states.
    await oddsTable(page).getByRole('row', { name: '31 to 45 50% (1 in 2)' }).waitFor()
    const warning = page.getByRole('alert').getByText('follow the odds shown above')
    await expect.poll(() => warning.count()).toBe(1)
    await page.unrouteAll()
    await button(page, 'Open the box').click()
    await button(page, 'Open it').click()
    await isNotVerified(page)
    await unfold(page)
    await check(page, 'The odds are unchanged').getByText('Doesn’t match').waitFor()
    await unfold(page)
    await check(page, 'The seals are unchanged').getByText('Matches', { exact: true }).waitFor()
  })

  it('filled by an operator says so, and still has seals', async () => {
    const [page, anna] = [await newPage(), await buyer(service)]
    const box = await makeBox(admin, { status: 'Owned', owner_id: anna.id })
    await openAs(service, page, anna, '/account/lootboxes')
    await page.getByRole('link', { name: /^View and open/ }).click()
    await page.getByText('An operator filled this box').waitFor()
    await button(page, 'Open the box').click()
    await button(page, 'Open it').click()
    await page.getByRole('heading', { name: 'Opened: you got one emoji id.' }).waitFor()
    await fits(page, 'Verified')
    expect(await check(page, 'Repeating the draw').count()).toBe(0)
    expect((await anna.get('/api/emoji_id')).json()).toEqual(box.yats)
  })
})
