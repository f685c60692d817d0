import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { assertAccessible, assertFits, type TestPage } from './browser.ts'
import type { Person } from './people.ts'
import type { TestService } from './service.ts'
import { waitUntil } from './wait.ts'

type WebService = Pick<TestService, 'webUrl'>

/** Opens a page of the web site as a signed-in user. */
export async function openAs(
  { webUrl }: WebService,
  page: TestPage,
  { tokens }: Pick<Person, 'tokens'>,
  path: string,
): Promise<void> {
  // Requests of the former user that are under way would be refused, and noted as problems.
  const emptyPage = `${webUrl}/health/live`
  if (page.url().startsWith(webUrl) && page.url() !== emptyPage) await page.goto(emptyPage)
  const answer = await page.context().request.post(`${webUrl}/session`, {
    headers: { 'sec-fetch-site': 'same-origin' },
    data: { refresh_token: tokens.refresh_token },
  })
  if (!answer.ok()) throw new Error(`Could not sign in: ${answer.status()}`)
  await page.goto(webUrl + path)
}

/**
 * Fails unless the page is accessible. Colours do not depend on width, nor layout on colour: light
 * and wide, dark and narrow cover all four combinations.
 */
export async function assertGoodLooks(page: TestPage): Promise<void> {
  // Colours in transition have no meaningful contrast.
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await assertFits(page)
  await assertAccessible(page, { isAnotherLook: true })
  await assertDarkLooks(page)
}

/** The dark and narrow look only, for pages of parts whose light look other tests check. */
export async function assertDarkLooks(page: TestPage): Promise<void> {
  const wide = page.viewportSize() ?? { width: 1280, height: 800 }
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await page.setViewportSize({ width: 390, height: 844 })
  await nextFrames(page)
  await assertFits(page)
  await assertAccessible(page)
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(wide)
}

type PageExpectation = {
  title: string
  /** The browser's console messages about an error page. */
  problem?: RegExp | undefined
}

/** Fails unless it is this page, is accessible and logs nothing else on the console. */
export async function assertGoodPage(
  page: TestPage,
  { title, problem }: PageExpectation,
): Promise<void> {
  await expect.poll(() => page.title()).toBe(title)
  await assertGoodLooks(page)
  expect(page.problems).toEqual(problem ? [expect.stringMatching(problem)] : [])
}

/** Waits until the layout for the new window size is drawn. */
const nextFrames = (page: TestPage): Promise<void> =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(() => resolve()))
      }),
  )

/**
 * Waits until the page announces this text. A page shows an announcement for seconds, so a paused
 * test could miss it: `openBrowser` lists them all. Uses up the list as far as the text, so that
 * the next call waits for a later announcement.
 */
export const waitForAnnouncement = (page: Page, text: string): Promise<void> =>
  waitUntil(() =>
    page.evaluate(takeAnnouncement, text).catch((error: Error) => {
      if (page.isClosed()) throw error
      // The page navigated meanwhile.
      return error.message
    }),
  )

/** Runs in the page. */
function takeAnnouncement(text: string): true | string {
  const { announcements } = globalThis as unknown as { announcements: string[] }
  const nth = announcements.findIndex((one) => one.includes(text))
  if (nth < 0) return `“${text}” was not announced, only: ${announcements.join(' | ')}`
  announcements.splice(0, nth + 1)
  return true
}

/** Holds the next request of this method and address until the test calls the returned function. */
export async function holdNext(page: Page, method: string, url: string): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let isHeld = false
  await page.route(url, async (route) => {
    if (!isHeld && route.request().method() === method) {
      isHeld = true
      await released
    }
    await route.continue()
  })
  return release
}

export const hasFocus = (element: Locator): Promise<boolean> =>
  element.evaluate((node) => node === document.activeElement)

/** Presses Tab until the element with this name has the focus. */
export async function tabTo(page: TestPage, name: string | RegExp): Promise<void> {
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate(() => {
      const element = document.activeElement
      const label = element instanceof HTMLInputElement ? element.labels?.[0] : undefined
      return element?.getAttribute('aria-label') ?? (label ?? element)?.textContent ?? ''
    })
    if (typeof name === 'string' ? focused === name : name.test(focused)) return
  }
  throw new Error(`Nothing called ${name} can be reached with the keyboard.`)
}
