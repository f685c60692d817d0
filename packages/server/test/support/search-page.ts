import type { Page } from 'playwright-core'
import type { TestPage } from './browser.ts'

/**
 * The visible results of the search page. A page of thousands of elements is searched by selectors,
 * since a search by roles computes the role of each.
 */
export const field = (page: Page) => page.getByLabel('Emojis or their names')
export const echo = (page: Page) => page.locator('section[aria-label="Your emoji id"]')
export const grid = (page: Page) => page.locator('[role=grid]')
export const cell = (page: Page, name: string) => grid(page).locator(`[aria-label="${name}"]`)
export const readChosenEmojis = (page: Page) =>
  page
    .locator('ul[aria-label="Chosen emojis"] > li')
    .evaluateAll((items) => items.map((item) => item.textContent))
/** The state in a shared URL. */
export const readQuery = (page: Page) => new URL(page.url()).searchParams.get('q')
const addressOf = (webUrl: string, text: string): string =>
  text ? `${webUrl}/?q=${encodeURIComponent(text)}` : webUrl

/** The site returns 401 to signed-out visitors, which the browser logs. */
export const unexpectedProblems = ({ problems }: TestPage) =>
  problems.filter((problem) => !problem.endsWith('/session/token'))

/** The app starts at the first sign of a person. */
export async function wake(page: Page): Promise<void> {
  await page.mouse.move(2, 2)
  // A pointer that was there already has not moved.
  await page.mouse.move(4, 4)
}

/** The page once its emojis are loaded. */
export async function openSearch(page: TestPage, webUrl: string, text = ''): Promise<TestPage> {
  await page.goto(addressOf(webUrl, text))
  await wake(page)
  await cell(page, 'dog face').waitFor()
  return page
}
