import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assertFits, openBrowser } from '../support/browser.ts'
import { grant } from '../support/ids.ts'
import { register, registerAs } from '../support/people.ts'
import {
  addressOf,
  cell,
  chosen,
  echo,
  field,
  openSearch,
  unexpected,
  written,
} from '../support/search-page.ts'
import { type TestService, testService } from '../support/service.ts'
import { buyer } from '../support/shop.ts'
import { assertGoodLooks, openAs } from '../support/web-pages.ts'

const { newPage } = openBrowser()
const taken = '🦀🐙'
const bought = '🐶🚁🎣👣'

let service: TestService
beforeAll(async () => {
  service = await testService({ reachable: true, env: { FREE_CEILING_CENTS: '400' } })
  const owner = await register(service)
  await grant(await registerAs(service, 'Admin'), { user_id: owner.id }, taken)
  const somebody = await buyer(service)
  await somebody.add(bought)
  await somebody.checkout('Free')
})
afterAll(async () => service?.close())

const at = (text: string) => addressOf(service.webUrl, text)
const open = async (text = '', look = {}) => openSearch(await newPage(look), service.webUrl, text)

describe('what is wrong', () => {
  it('is named: which emoji, where and why, and which are not released', async () => {
    const page = await open('🔥🦩❤️‍🔥')
    await echo(page).getByText('🦩 at position 2 is not one of the emojis').waitFor()
    await echo(page).getByText('invisible joiner at position 3').waitFor()
    await page.getByRole('button', { name: 'Remove 🦩' }).click()
    await echo(page).getByText('invisible joiner at position 2').waitFor()
    await field(page).press('Backspace')
    await echo(page).getByText('Not for sale').waitFor()

    await field(page).press('Backspace')
    await field(page).fill('🐍🐀')
    await echo(page).getByText('Not released yet').waitFor()
    await echo(page).getByText('it means the same as mouse').waitFor()
    await cell(page, 'rat, not released yet').waitFor()
  })

  it('is said when the service does not answer, and can be tried again', async () => {
    const page = await newPage()
    await page.route('**/emoji_id/search*', (route) => route.abort(), { times: 3 })
    await page.goto(at('👑🦁'))
    await page.getByRole('alert').getByText('offline').waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('button', { name: 'Get it' }).waitFor()

    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Get it' }).click()
    await page.getByRole('alert').getByText('offline').waitFor()
    await field(page).fill('🍕')
    await expect.poll(() => page.getByRole('button', { name: 'Get it' }).count()).toBe(0)
    await page.getByRole('alert').getByText('offline').waitFor()
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('button', { name: 'Get it' }).waitFor()
    expect(written(page)).toBe('👑🦁🍕')
  })
})

describe('an id that somebody has', () => {
  it('leads to its page, and who is signed in is told when it becomes free', async () => {
    const page = await open(taken)
    await echo(page).getByText('Somebody has it').waitFor()
    const link = page.getByRole('link', { name: 'See its page' })
    expect(await link.getAttribute('href')).toBe(`/${encodeURIComponent(taken)}`)
    await page.getByRole('button', { name: 'Tell me' }).click()
    await page.waitForURL('**/sign-in?next=*')

    const person = await buyer(service)
    await openAs(service, page, person, `/?q=${encodeURIComponent(taken)}`)
    await page.getByRole('button', { name: 'Tell me' }).click()
    await echo(page).getByText('We will mail you').waitFor()
    const kept = await person.get(`/api/user_interests/${encodeURIComponent(taken)}`)
    expect(kept.status).toBe(200)
  })
})

describe('other ids', () => {
  it('are close to it, and each leads to its own search; the way back works', async () => {
    const page = await open(taken)
    const alternate = page.getByRole('link', { name: /^emoji id: .*octopus.*\$/ }).first()
    const name = await alternate.getByRole('img').first().getAttribute('aria-label')
    await alternate.click()
    await page.getByRole('button', { name: 'Get it' }).waitFor()
    await expect.poll(() => echo(page).textContent()).toContain(name?.replace('emoji id: ', ''))
    expect(written(page)).not.toBe(taken)
    await page.goBack()
    await expect.poll(() => chosen(page)).toEqual(['🦀', '🐙'])
    await echo(page).getByText('Somebody has it').waitFor()
  })

  it('come by chance, others every time; the latest that was bought is shown beside them', async () => {
    const page = await open()
    const links = page.getByRole('link', { name: /^emoji id: .*\$/ })
    const names = () =>
      links
        .getByRole('img')
        .evaluateAll((all) => all.flatMap((one) => one.getAttribute('aria-label') ?? []))
    await expect.poll(async () => (await names()).length).toBe(10)
    const before = await names()
    await page.getByRole('button', { name: 'Draw others' }).click()
    await expect.poll(async () => (await names()).join()).not.toBe(before.join())
    await links.first().click()
    await page.getByRole('button', { name: 'Get it' }).waitFor()
    await page.goBack()
    await page.getByRole('link', { name: 'emoji id: dog, helicopter, fishing, footprints' }).click()
    await echo(page).getByText('Somebody has it').waitFor()
  })
})

describe('a search', () => {
  it('is shared by its address, with its price and why it has its score', async () => {
    const page = await open('👑🦁')
    await echo(page).getByText('$').waitFor()
    await page.getByRole('heading', { name: 'Why this score' }).waitFor()
    await page.getByText('2 emojis: short ids score higher.').waitFor()
    expect(await chosen(page)).toEqual(['👑', '🦁'])

    await page.goto(`${service.webUrl}/?emoji_id=${encodeURIComponent(taken)}`)
    await echo(page).getByText('Somebody has it').waitFor()
    await page.goto(at('crab.octopus'))
    await echo(page).getByText('Somebody has it').waitFor()
  })

  it('asks once when somebody stops typing, and gives up what is not wanted any more', async () => {
    const page = await open()
    const asked: string[] = []
    const givenUp: string[] = []
    const idOf = (url: string) => new URL(url).searchParams.get('emoji_id') ?? ''
    page.on('request', (request) => {
      if (request.url().includes('/emoji_id/search')) asked.push(idOf(request.url()))
    })
    page.on('requestfailed', (request) => givenUp.push(idOf(request.url())))
    await page.route(
      `**/emoji_id/search?emoji_id=${encodeURIComponent('👑🦁🍕')}`,
      () => {}, // Never answered.
    )
    await field(page).pressSequentially('👑🦁🍕')
    await expect.poll(() => asked).toEqual(['👑🦁🍕'])
    await field(page).press('Backspace')
    await page.getByRole('button', { name: 'Get it' }).waitFor()
    expect(asked).toEqual(['👑🦁🍕', '👑🦁'])
    await expect.poll(() => givenUp).toEqual(['👑🦁🍕'])
  })

  it('makes at most 25 requests for the start page, of at most 150 kB of script, zipped', async () => {
    const page = await newPage({ isFresh: true })
    const asked: string[] = []
    page.on('request', (request) => asked.push(`${request.resourceType()} ${request.url()}`))
    const sizes = new Map<string, Promise<number>>()
    page.on('response', (response) => {
      if (response.request().resourceType() !== 'script') return
      sizes.set(
        response.url(),
        response.body().then((body) => gzipSync(body).length),
      )
    })
    await page.goto(service.webUrl)
    await cell(page, 'dog face').waitFor()
    // What was drawn by chance, and what was bought: the last answers that the page waits for.
    await page
      .getByRole('link', { name: /^emoji id: .*\$/ })
      .nth(9)
      .waitFor()
    await page.getByRole('link', { name: 'emoji id: dog, helicopter' }).waitFor()
    await page.getByRole('navigation').getByRole('link', { name: 'Sign in' }).waitFor()
    await haveSeen(page)
    expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(25)
    expect(sizes.size).toBeGreaterThanOrEqual(2)
    const total = (await Promise.all(sizes.values())).reduce((sum, size) => sum + size, 0)
    expect(total).toBeLessThanOrEqual(150_000)
  })
})

/** Until every picture that the page asks for was drawn. */
const haveSeen = (page: Page) =>
  page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
    await Promise.all([...document.images].map((image) => image.decode().catch(() => {})))
  })

/** Each follows from the one before. */
const states = [
  { name: 'nothing chosen', typed: '', seen: 'Try one of these' },
  { name: 'a word', typed: 'face', seen: 'Enter adds' },
  { name: 'a wrong one', typed: '🔥🦩', seen: 'position 2' },
  { name: 'one that is taken', typed: taken, seen: 'Somebody has it' },
  { name: 'one that can be had', typed: '👑🦁', seen: '$' },
]

describe('the search page', () => {
  it('stands in nobody’s way, light or dark, whatever was chosen', async () => {
    const page = await open()
    for (const { typed, seen } of states) {
      await field(page).fill('')
      for (let left = (await chosen(page)).length; left > 0; left--) {
        await field(page).press('Backspace')
        await expect.poll(async () => (await chosen(page)).length).toBe(left - 1)
      }
      await field(page).fill(typed)
      await echo(page).getByText(seen).first().waitFor()
      await page.setViewportSize({ width: 320, height: 844 })
      await assertFits(page)
      await page.setViewportSize({ width: 1280, height: 800 })
      await assertGoodLooks(page)
    }
    expect(unexpected(page)).toEqual([])
  })
})
