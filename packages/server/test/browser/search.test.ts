import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { grant } from '../support/ids.ts'
import { goInApp } from '../support/in-app.ts'
import { insertPaidOrder } from '../support/paid-orders.ts'
import { newcomer, registerAs } from '../support/people.ts'
import {
  cell,
  echo,
  field,
  openSearch,
  readChosenEmojis,
  readQuery,
  unexpectedProblems,
  wake,
} from '../support/search-page.ts'
import { type Site, sharedSite } from '../support/shared-site.ts'
import { buyer } from '../support/shop.ts'
import { openAs } from '../support/web-pages.ts'

const { newPage } = openBrowser()
const takenId = '🦀🐙'
const boughtId = '🐶🚁🎣👣'

let service: Site
beforeAll(async () => {
  service = await sharedSite()
  const owner = await newcomer(service)
  await grant(await registerAs(service, 'Admin'), { user_id: owner.id }, takenId)
  await insertPaidOrder(service, owner.id, [boughtId])
  // Recent purchases are read once a minute.
  service.clock.advance(61_000)
})

const open = async (text = '') => openSearch(await newPage(), service.webUrl, text)

describe('a search', () => {
  it('links a taken id to its page and similar ids, lets a person watch it, and takes a skin tone along to the cart', async () => {
    const page = await newPage()
    const person = await buyer(service)
    // Without its sheet, every emoji is loaded alone.
    await page.route(/\/(groups|tone-3)\.webp$/, (route) => route.abort())
    // Typed by name.
    await openAs(service, page, person, '/?q=crab.octopus')
    await wake(page)
    await cell(page, 'dog face').waitFor()
    await echo(page).getByText('Taken').waitFor()
    const link = page.getByRole('link', { name: 'See its page' })
    expect(await link.getAttribute('href')).toBe(`/${encodeURIComponent(takenId)}`)
    const alternate = page.getByRole('link', { name: /^emoji id: .*octopus.*\$/ }).first()
    const name = await alternate.getByRole('img').first().getAttribute('aria-label')
    await alternate.click()
    await page.getByRole('button', { name: 'Get it' }).waitFor()
    await expect.poll(() => echo(page).textContent()).toContain(name?.replace('emoji id: ', ''))
    expect(readQuery(page)).not.toBe(takenId)
    await page.goBack()
    await expect.poll(() => readChosenEmojis(page)).toEqual(['🦀', '🐙'])
    await page.getByRole('button', { name: 'Add to watchlist' }).click()
    await echo(page).getByText('We’ll email you').waitFor()
    const interest = await person.get(`/api/user_interests/${encodeURIComponent(takenId)}`)
    expect(interest.status).toBe(200)

    await goInApp(page, `/?q=${encodeURIComponent('👑')}`)
    const tab = page.getByRole('tab', { name: 'People' })
    await expect.poll(() => tab.locator('img').getAttribute('src')).toBe('/art/1f44b.svg')
    await tab.click()
    await page.getByRole('radio', { name: 'Medium', exact: true }).check({ force: true })
    const drawing = cell(page, 'waving hand').locator('img')
    await expect.poll(() => drawing.getAttribute('src')).toBe('/art/1f44b-1f3fd.svg')
    await cell(page, 'waving hand').click()
    await expect.poll(() => readQuery(page)).toBe('👑👋🏽')
    await page.getByRole('button', { name: 'Get it' }).click()
    await page.waitForURL('**/cart')
    const items = await service.db
      .selectFrom('order_items')
      .select(['emoji_id', 'display_format'])
      .where('order_id', '=', (await person.cart()).id)
      .execute()
    expect(items).toEqual([{ emoji_id: '👑👋', display_format: '👑👋🏽' }])
  })

  it('sends one request after a pause in typing, shows price, score and invalid emojis, and retries after an error', async () => {
    const page = await open()
    const requests: string[] = []
    const givenUp: string[] = []
    const idOf = (url: string) => new URL(url).searchParams.get('emoji_id') ?? ''
    page.on('request', (request) => {
      if (request.url().includes('/emoji_id/search')) requests.push(idOf(request.url()))
    })
    page.on('requestfailed', (request) => givenUp.push(idOf(request.url())))
    await page.route(
      `**/emoji_id/search?emoji_id=${encodeURIComponent('👑🦁🍕')}`,
      () => {}, // Never answered.
    )
    // Typed by timers of the page, which run before its later timers, however busy the machine is.
    await field(page).focus()
    await page.evaluate(async () => {
      for (const emoji of ['👑', '🦁', '🍕']) {
        document.execCommand('insertText', false, emoji)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    })
    await expect.poll(() => requests).toEqual(['👑🦁🍕'])
    await field(page).press('Backspace')
    await page.getByRole('button', { name: 'Get it' }).waitFor()
    expect(requests).toEqual(['👑🦁🍕', '👑🦁'])
    await expect.poll(() => givenUp).toEqual(['👑🦁🍕'])
    await echo(page).getByText('$').waitFor()
    await page.getByRole('heading', { name: 'Why this score' }).waitFor()
    await page.getByText('2 emojis: short ids score higher.').waitFor()

    await field(page).fill('🦩❤️‍🔥')
    await echo(page).getByText('🦩 at position 3 is not one of the emojis').waitFor()
    await echo(page).getByText('invisible joiner at position 4').waitFor()
    await page.getByRole('button', { name: 'Remove 🦩' }).click()
    await echo(page).getByText('invisible joiner at position 3').waitFor()
    await field(page).press('Backspace')
    await field(page).fill('🐀')
    await echo(page).getByText('Not released yet').waitFor()
    await echo(page).getByText('it means the same as mouse').waitFor()
    await cell(page, 'rat, not released yet').waitFor()
    expect(unexpectedProblems(page)).toEqual([])

    await page.unrouteAll()
    await field(page).press('Backspace')
    await page.route('**/emoji_id/search*', (route) => route.abort(), { times: 3 })
    await field(page).fill('🌴🎸')
    await page.getByRole('alert').getByText('offline').waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('button', { name: 'Get it' }).waitFor()
    expect(readQuery(page)).toBe('👑🦁🌴🎸')
  })
})

describe('the start page', () => {
  it('the start page takes at most 25 requests and 155 kB of zipped script, and shows random and recent ids', async () => {
    const page = await newPage({ isFresh: true })
    const links = page.getByRole('link', { name: /^emoji id: .*\$/ })
    const purchaseLocator = page.getByRole('link', {
      name: 'emoji id: dog, helicopter, fishing, footprints',
    })
    // A file that was fetched ahead is seen again when it is used.
    const requests = new Set<string>()
    page.on('request', (request) => requests.add(request.url()))
    const sizes = new Map<string, Promise<number>>()
    page.on('response', (response) => {
      if (response.request().resourceType() !== 'script') return
      sizes.set(
        response.url(),
        response.body().then((body) => gzipSync(body).length),
      )
    })
    await page.goto(service.webUrl)
    await wake(page)
    await cell(page, 'dog face').waitFor()
    // Random ideas and recent purchases are the last responses of the page.
    await links.nth(9).waitFor()
    await purchaseLocator.waitFor()
    await page.getByRole('navigation').getByRole('link', { name: 'Sign in' }).waitFor()
    await haveSeen(page)
    expect(requests.size, [...requests].join('\n')).toBeLessThanOrEqual(25)
    expect(sizes.size).toBeGreaterThanOrEqual(2)
    const total = (await Promise.all(sizes.values())).reduce((sum, size) => sum + size, 0)
    expect(total).toBeLessThanOrEqual(155_000)

    const names = () =>
      links
        .getByRole('img')
        .evaluateAll((all) => all.flatMap((one) => one.getAttribute('aria-label') ?? []))
    await expect.poll(async () => (await names()).length).toBe(10)
    await echo(page).getByText('Try one of these').first().waitFor()
    const before = await names()
    await page.getByRole('button', { name: 'Shuffle' }).click()
    await expect.poll(async () => (await names()).join()).not.toBe(before.join())
    await purchaseLocator.click()
    await echo(page).getByText('Taken').waitFor()
  })
})

/** Resolves once every requested picture is drawn. */
const haveSeen = (page: Page) =>
  page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
    await Promise.all(
      [...document.images]
        .filter(({ loading }) => loading !== 'lazy')
        .map((image) => image.decode().catch(() => {})),
    )
  })
