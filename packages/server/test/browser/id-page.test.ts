import jsqr from 'jsqr'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { at, grant } from '../support/ids.ts'
import { webServer } from '../support/outside.ts'
import { newcomer, registerAs } from '../support/people.ts'
import { type Site, sharedSite } from '../support/shared-site.ts'
import { assertGoodLooks, assertGoodPage, hasFocus } from '../support/web-pages.ts'

const { newPage } = openBrowser()

let service: Site
/** An id with hostile texts. */
let hostile: string
/** An id that redirects to a shop. */
let leading: string
let shop: Awaited<ReturnType<typeof webServer>>
beforeAll(async () => {
  service = await sharedSite()
  shop = await webServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end('<title>The shop</title>'),
  )
  const anna = await newcomer(service)
  const admin = await registerAs(service, 'Admin')
  hostile = await grant(admin, { user_id: anna.id })
  leading = await grant(admin, { user_id: anna.id })
  const link = { tag: '0x0004', data: `${shop.address}/anna` }
  expect((await anna.patch(at(leading), { insert: [link] })).status).toBe(200)
  const editAnswers = await Promise.all([
    anna.patch(at(hostile), { insert: attackRecords }),
    anna.post(at(hostile, '/json/SvcPageData'), { data: attackPage }),
    anna.post(at(hostile, '/json/SvcLinkData'), { data: attackLinks }),
  ])
  expect(editAnswers.map(({ status }) => status)).toEqual([200, 200, 200])
})
afterAll(() => shop?.close())

const attack = `"'></title></style></textarea><script>alert(1)</script><svg onload=alert(2)><img src=x onerror=alert(3)>`
const bitcoin = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const attackPage = {
  title: attack,
  text: `${attack}\n<iframe srcdoc="<script>alert(4)</script>"></iframe>`,
  links: [{ name: 'bad', url: 'javascript:alert(5)' }],
}
const attackLinks = {
  links: [
    'javascript:alert(6)',
    'JAVASCRIPT:alert(7)',
    'data:text/html,<script>alert(8)</script>',
    { name: attack, url: 'https://example.com/"onmouseover="alert(9)' },
    { name: 'bad', href: ' javascript:alert(10)' },
  ],
}
const attackRecords = [
  { tag: '0x1003', data: `${bitcoin}|<svg onload=alert(11)>` },
  { tag: '0x3fff', data: `EVIL|<script>alert(12)</script>` },
  { tag: '0x0005', data: '<svg onload=alert(13)>' },
]

const open = (page: Page, id: string) => page.goto(`${service.webUrl}/${encodeURIComponent(id)}`)
const ways = (page: Page) => page.locator('details')
/** Opens every way to pay, which the page itself does not allow. */
const openAll = (page: Page) =>
  page.evaluate(() => {
    for (const way of document.querySelectorAll('details')) {
      way.removeAttribute('name')
      way.open = true
    }
  })
const addressesOf = async (id: string) => {
  const answer = await service.get(at(id, '/payment'))
  const { result } = answer.json<{ result: Record<string, { address: string }> }>()
  return Object.values(result).map(({ address }) => address)
}

async function readCode(code: Locator): Promise<string | undefined> {
  const { data, info } = await sharp(await code.screenshot())
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return jsqr.default(new Uint8ClampedArray(data), info.width, info.height)?.data
}

const cases = [
  { id: '🦀🦀🦀🦀', title: 'This emoji id is available', problem: /404/ },
  { id: '🔥A🐍', title: 'This isn’t an emoji id', problem: /400/ },
]

it('the page without an id is accessible', async () => {
  const page = await newPage()
  for (const { id, title, problem } of cases) {
    page.problems.length = 0
    await open(page, id)
    await assertGoodPage(page, { title, problem })
  }
})

describe('a pay sheet', () => {
  it('copies the addresses of a lookup, also by keyboard, with one way open at a time', async () => {
    const page = await newPage()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const copied = () => page.evaluate(() => navigator.clipboard.readText())
    await open(page, '🔥🐍')
    const addresses = await addressesOf('🔥🐍')
    expect(addresses).toHaveLength(5)
    const second = ways(page).nth(1)
    const isAtSecond = () => hasFocus(second.locator('summary'))
    for (let presses = 0; presses < 10 && !(await isAtSecond()); presses++) {
      await page.keyboard.press('Tab')
    }
    await page.keyboard.press('Enter')
    await second.getByRole('button', { name: 'Copy' }).waitFor()
    expect(
      await ways(page).evaluateAll((all) => all.map((way) => way.hasAttribute('open'))),
    ).toEqual([false, true, false, false, false])
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await second.getByText('Copied').waitFor()
    expect(await copied()).toBe(addresses[1])

    const last = ways(page).last()
    await last.locator('summary').click()
    await last.getByRole('button', { name: 'Copy' }).click()
    await last.getByRole('status').getByText('Copied').waitFor()
    expect(await copied()).toBe(addresses.at(-1))
    expect(page.problems).toEqual([])

    // Where the browser forbids copying.
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
    await ways(page).first().locator('summary').click()
    await ways(page).first().getByRole('button', { name: 'Copy' }).click()
    await page.getByText('Selected. Copy it with your keyboard').waitFor()
    expect(await page.evaluate(() => String(getSelection()))).toBe(bitcoin)
  })

  it('a pay sheet has QR codes that scan as wallet links, in light and dark mode', async () => {
    const page = await newPage({ isDrawn: true })
    await open(page, '🔥🐍')
    await openAll(page)
    expect(await page.title()).toBe('🔥🐍 Fire Snake')
    const links = page.getByRole('link', { name: 'Open in wallet' })
    const hrefs = await links.evaluateAll((all) => all.map((a) => a.getAttribute('href')))
    expect(hrefs).toHaveLength(5)
    expect(hrefs[0]).toBe(`bitcoin:${bitcoin}`)
    const codes = await page.getByRole('img', { name: /^QR code/ }).all()
    const read: (string | undefined)[] = []
    for (const code of codes) read.push(await readCode(code))
    expect(read).toEqual(hrefs)
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await readCode(page.getByRole('img', { name: /^QR code/ }).first())).toBe(hrefs[0])
  })

  it('a pay sheet works without scripts: a click selects the whole address', async () => {
    const page = await newPage()
    await page.route('**/assets/id-*.js', (route) => route.fulfill({ body: '' }))
    await open(page, '🔥🐍')
    expect(await page.getByRole('button', { name: 'Copy' }).count()).toBe(0)
    await page.locator('#address-1 span').nth(3).click()
    expect(await page.evaluate(() => String(getSelection()))).toBe(bitcoin)
    await ways(page).nth(1).locator('summary').click()
    expect(await page.locator('#address-2').textContent()).toBe((await addressesOf('🔥🐍'))[1])
  })
})

it('the page of an id runs no stored text, and stays usable (T104)', async () => {
  const page = await newPage()
  await open(page, hostile)
  await openAll(page)
  for (const link of await page.locator('.links a').all()) await link.hover()

  expect(page.problems).toEqual([])
  expect(await page.locator('h1').textContent()).toBe(attack)
  const metrics = await page.evaluate(() => ({
    scripts: [...document.scripts].map(({ src }) => new URL(src).pathname.replace(/-.*/, '')),
    handlers: [...document.querySelectorAll('*')].filter((element) =>
      element.getAttributeNames().some((name) => name.startsWith('on')),
    ).length,
    strangers: document.querySelectorAll('iframe, img[src="x"], main svg:not(.qr)').length,
    schemes: [...new Set([...document.links].map(({ protocol }) => protocol))].sort(),
  }))
  expect(metrics).toEqual({
    scripts: ['/assets/id'],
    handlers: 0,
    strangers: 0,
    schemes: ['bitcoin:', 'http:', 'https:'],
  })
  await assertGoodLooks(page)
})

describe('an id that redirects (T121)', () => {
  it('leads a browser to no other host, whatever follows its emojis', async () => {
    const page = await newPage()
    const hosts = new Set<string>()
    page.on('request', (request) => hosts.add(new URL(request.url()).origin))
    for (const [rest, target] of [
      ['//evil.example/x', '/anna//evil.example/x'],
      ['/\\\\evil.example', '/anna///evil.example'],
      ['/@evil.example', '/anna/@evil.example'],
      ['/%2e%2e%2f@evil.example', '/anna/%2e%2e%2f@evil.example'],
      ['/%5c%5cevil.example', '/anna/%5c%5cevil.example'],
      ['?//evil.example', '/anna?//evil.example'],
    ]) {
      await page.goto(`${service.webUrl}/${encodeURIComponent(leading)}${rest}`)
      expect(page.url()).toBe(`${shop.address}${target}`)
      expect(await page.title()).toBe('The shop')
    }

    const before = shop.asked.length
    for (const rest of ['@evil.example/', '.evil.example', ':80@evil.example']) {
      await page.goto(`${service.webUrl}/${encodeURIComponent(leading)}${rest}`)
      expect([rest, new URL(page.url()).origin]).toEqual([rest, service.webUrl])
    }
    expect(shop.asked.length).toBe(before)
    expect([...hosts].sort()).toEqual([shop.address, service.webUrl].sort())
  })
})
