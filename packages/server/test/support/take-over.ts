import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { TestPage } from './browser.ts'

/** The script of the app waits until the returned function is called. */
export async function holdApp(page: TestPage): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/assets/index-*.js', async (route) => {
    await released
    await route.continue()
  })
  return release
}

const isServed = (page: Page) => page.locator('#start').isVisible()

/** Notes whether a field has the focus before the browser handles the next key. */
function watchFocusInPage(): void {
  const observer = new MutationObserver(() => {
    if (document.getElementById('start')) return
    observer.disconnect()
    document.documentElement.dataset['focused'] = document.activeElement?.localName
  })
  observer.observe(document.body, { childList: true })
}

/**
 * Types key by key: first without the app, then while it starts, then in the app. Returns the whole
 * text, which is as long as the start of the app takes.
 */
export async function typeAcrossTakeOver(page: Page, release: () => void): Promise<string> {
  let typedText = ''
  const typeWord = async () => {
    const word = `w${typedText.length}.abcdefghijklmnop.`
    await page.keyboard.type(word, { delay: 5 })
    typedText += word
  }
  await page.evaluate(watchFocusInPage)
  await typeWord()
  release()
  while (await isServed(page)) await typeWord()
  await typeWord()
  expect(await page.locator('html').getAttribute('data-focused')).toBe('input')
  return typedText
}
