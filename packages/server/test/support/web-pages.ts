import { expect } from 'vitest'
import { assertAccessible, assertFits, type TestPage } from './browser.ts'
import type { Person } from './people.ts'
import type { TestService } from './service.ts'

type Opened = Pick<TestService, 'webUrl'>

/** Opens a page of the web site as somebody who signed in before. */
export async function openAs(
  { webUrl }: Opened,
  page: TestPage,
  { tokens }: Pick<Person, 'tokens'>,
  path: string,
): Promise<void> {
  const answer = await page.context().request.post(`${webUrl}/session`, {
    headers: { 'sec-fetch-site': 'same-origin' },
    data: { refresh_token: tokens.refresh_token },
  })
  if (!answer.ok()) throw new Error(`Could not sign in: ${answer.status()}`)
  await page.goto(webUrl + path)
}

/**
 * Fails unless everybody can use the page as it is now. Colours do not go by width, nor places by
 * colour: light and wide, dark and narrow show what four looks would.
 */
export async function assertGoodLooks(page: TestPage): Promise<void> {
  const wide = page.viewportSize() ?? { width: 1280, height: 800 }
  // Colours that are still on their way are nobody's.
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await assertFits(page)
  await assertAccessible(page, { isAnotherLook: true })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 390, height: 844 })
  await nextFrames(page)
  await assertFits(page)
  await assertAccessible(page)
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(wide)
}

type Expected = {
  title: string
  /** What the browser says on its console about a page that is an error. */
  said?: RegExp | undefined
}

/** Fails unless it is this page, which looks good and says nothing else on the console. */
export async function assertGoodPage(page: TestPage, { title, said }: Expected): Promise<void> {
  await expect.poll(() => page.title()).toBe(title)
  await assertGoodLooks(page)
  expect(page.problems).toEqual(said ? [expect.stringMatching(said)] : [])
}

/** Once what depends on the size of the window was drawn anew. */
const nextFrames = (page: TestPage): Promise<void> =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(() => resolve()))
      }),
  )

/** Presses Tab until something is focused that has this name. */
export async function tabTo(page: TestPage, name: string | RegExp): Promise<void> {
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate(() => {
      const element = document.activeElement
      const labelled = element instanceof HTMLInputElement ? element.labels?.[0] : undefined
      return element?.getAttribute('aria-label') ?? (labelled ?? element)?.textContent ?? ''
    })
    if (typeof name === 'string' ? focused === name : name.test(focused)) return
  }
  throw new Error(`Nothing called ${name} can be reached with the keyboard.`)
}
