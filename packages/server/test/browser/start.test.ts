import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assertAccessible, assertFits, openBrowser, type TestPage } from '../support/browser.ts'
import { at, grant } from '../support/ids.ts'
import { registerAs } from '../support/people.ts'
import { cell, echo, field, readChosenEmojis } from '../support/search-page.ts'
import { type TestService, testService } from '../support/service.ts'
import { buyer } from '../support/shop.ts'
import { holdApp } from '../support/take-over.ts'
import { assertGoodLooks, openAs } from '../support/web-pages.ts'

const { newPage } = openBrowser()
const bitcoin = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'
const payable = '🐶🚁🎣👣'
const links = {
  SUPPORT_URL: 'https://help.example/',
  TERMS_URL: 'https://terms.example/',
  PRIVACY_URL: 'https://privacy.example/',
}

let service: TestService
beforeAll(async () => {
  service = await testService({
    reachable: true,
    env: { FREE_CEILING_CENTS: '400', ...links },
  })
  const person = await buyer(service)
  await person.add(payable)
  await person.checkout('Free')
  await person.patch(at(payable), { insert: [{ tag: '0x1003', data: bitcoin }] })
})
afterAll(async () => service?.close())

const demo = (page: TestPage) => page.getByRole('region', { name: 'See it work' })

describe('the start page', () => {
  it('the start page shows its purpose, the search field and ids without scripts, and links to help and terms', async () => {
    const page = await newPage({ script: false })
    await page.goto(service.webUrl)
    await page.getByRole('heading', { level: 1, name: 'A few emojis' }).waitFor()
    await page.getByText('people type a few emojis and pay you').waitFor()
    expect(
      await page.getByRole('list', { name: 'How it works' }).getByRole('listitem').count(),
    ).toBe(3)
    await field(page).waitFor()
    await page.getByRole('link', { name: 'emoji id: crown, lion' }).waitFor()
    for (const name of ['What it costs', 'Which wallets can pay it', 'Who it is for'])
      await page.getByRole('heading', { name }).waitFor()
    await page.getByText('You pay once.').waitFor()
    for (const [name, url] of [
      ['Help', links.SUPPORT_URL],
      ['Terms', links.TERMS_URL],
      ['Privacy', links.PRIVACY_URL],
      ['Documentation', `${service.webUrl}/api/docs/`],
    ] as const) {
      const link = page
        .getByRole('navigation', { name: 'About this service' })
        .getByRole('link', { name })
      expect(await link.getAttribute('href')).toBe(url)
    }
    await page.setViewportSize({ width: 320, height: 700 })
    await assertFits(page)
    // Playwright finds nothing in a `noscript` by its text or role.
    expect(await page.locator('noscript .note').innerText()).toContain('The emoji picker needs')
    expect(await page.getByText('Tap or type to load').isVisible()).toBe(false)
    const addressOfPayable = `${service.webUrl}/${encodeURIComponent(payable)}`
    await page.getByRole('search').getByRole('textbox').fill('Dog helicopter, 🎣 footprints')
    await page.getByRole('search').locator('button').click()
    await page.waitForURL(addressOfPayable)
  })

  it('the start page is accessible before and after the app takes over, does not move, and demonstrates the pay sheet of a typed id', async () => {
    const page = await newPage()
    await page.setViewportSize({ width: 390, height: 700 })
    const release = await holdApp(page)
    await page.goto(service.webUrl)
    await assertAccessible(page)
    const placeOf = (name: string) =>
      page
        .getByRole('heading', { name })
        .evaluate((node) => node.getBoundingClientRect().top + scrollY)
    const places = async () => [await placeOf('A few emojis'), await placeOf('Try one of these')]
    const before = await places()
    const section = demo(page)
    const input = section.getByLabel('Emoji id to pay')
    // The newest id that can be paid.
    expect(await input.inputValue()).toBe(payable)
    await input.click()
    await input.fill('Dog helicopter ')
    release()
    await page.locator('#start').waitFor({ state: 'detached' })
    await page.keyboard.insertText('fishing footprints')
    await cell(page, 'dog face').waitFor()
    expect(await input.inputValue()).toBe('Dog helicopter fishing footprints')
    // Wherever the browser scrolls for the caret, the field stays in view.
    const isInView = () =>
      input.evaluate((field) => {
        const { top, bottom } = field.getBoundingClientRect()
        return top >= 0 && bottom <= innerHeight
      })
    await expect.poll(isInView).toBe(true)
    for (const [nth, y] of (await places()).entries())
      expect(Math.abs(y - (before[nth] ?? 0))).toBeLessThan(4)

    await section.getByRole('button', { name: 'Show' }).click()
    await section.getByRole('heading', { name: 'Bitcoin address' }).waitFor()
    await section.getByRole('img', { name: 'QR code: Bitcoin address' }).waitFor()
    await input.fill('🦀🐙🎈')
    await section.getByRole('button', { name: 'Show' }).click()
    await section.getByText('isn’t registered').waitFor()
    await field(page).fill(payable)
    await echo(page).getByText('Taken').waitFor()
    await page.setViewportSize({ width: 1280, height: 800 })
    await assertGoodLooks(page)
    expect(page.problems.filter((problem) => !/404|session\/token/.test(problem))).toEqual([])
  })

  it('keeps the text, the focus and the selection while the app takes over', async () => {
    const page = await newPage()
    const release = await holdApp(page)
    await page.goto(service.webUrl)
    await field(page).fill('🔥snake')
    for (const key of ['Shift+ArrowLeft', 'Shift+ArrowLeft']) await page.keyboard.press(key)
    release()
    await page.locator('#start').waitFor({ state: 'detached' })
    await page.keyboard.type('il')
    expect(await field(page).inputValue()).toBe('snail')
    expect(await readChosenEmojis(page)).toEqual(['🔥'])
    await field(page).press('Enter')
    await expect.poll(() => readChosenEmojis(page)).toEqual(['🔥', '🐌'])
  })

  it('the start page is complete after a return from another page of the app', async () => {
    const page = await newPage()
    await openAs(service, page, await buyer(service), '/cart')
    await page.getByRole('link', { name: 'Emoji Id Directory' }).click()
    await page.getByRole('heading', { level: 1, name: 'A few emojis' }).waitFor()
    await demo(page).scrollIntoViewIfNeeded()
    const addressHeading = demo(page).getByRole('heading', { name: 'Bitcoin address' })
    await expect.poll(() => addressHeading.count()).toBe(1)
  })
})

describe('files for crawlers and previews', () => {
  it('files for crawlers and previews have robots.txt, a sitemap without suspended ids, an icon and Open Graph tags', async () => {
    const robots = await service.get('/robots.txt')
    expect(robots.body).toContain(`Sitemap: ${service.webUrl}/sitemap.xml`)
    expect(robots.body).toContain('Disallow: /account')
    const index = (await service.get('/sitemap.xml')).body
    expect(index).toContain(`<sitemap><loc>${service.webUrl}/sitemaps/1.xml</loc></sitemap>`)
    expect((await service.get('/sitemaps/2.xml')).status).toBe(404)
    const map = async () => (await service.get('/sitemaps/1.xml')).body
    expect(await map()).toContain(`<loc>${service.webUrl}/${encodeURIComponent(payable)}</loc>`)

    const admin = await registerAs(service, 'Admin')
    const path = `/api/admin/emoji_ids/${encodeURIComponent(payable)}/suspend`
    expect((await admin.post(path, { reason: 'It was reported as fraud.' })).status).toBe(200)
    const ofAdmin = await grant(admin, { user_id: admin.id })
    service.clock.advance(61_000)
    expect(await map()).not.toContain(encodeURIComponent(payable))
    expect(await map()).toContain(encodeURIComponent(ofAdmin))

    const icon = await service.get('/favicon.ico')
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/x-icon'])
    const { body } = await service.get('/')
    expect(body).toContain('property="og:title" content="Emoji Id Directory: A few emojis')
    expect(body).toContain(`property="og:image" content="${service.webUrl}/art/directory.png"`)
    expect(body).toContain(`rel="canonical" href="${service.webUrl}/"`)
    expect(body.match(/name="description"/g)).toHaveLength(1)
  })
})
