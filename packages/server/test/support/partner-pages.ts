import { expect } from 'vitest'
import type { TestPage } from './browser.ts'

/** The path of a partner's own pages. */
export const wallet = 'https://wallet.example.com'
const picture =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4" fill="teal"/></svg>'

/** A page that links to the partner's own pages. */
export async function withWallet(page: TestPage): Promise<TestPage> {
  await page
    .context()
    .route(`${wallet}/**`, (route) =>
      route.request().url().endsWith('.svg')
        ? route.fulfill({ contentType: 'image/svg+xml', body: picture })
        : route.fulfill({ contentType: 'text/html', body: '<title>Wallet One</title>' }),
    )
  return page
}

/** The values that the partner's page receives. */
export async function readCallback(page: Pick<TestPage, 'waitForURL' | 'url'>) {
  await page.waitForURL(`${wallet}/back?**`)
  const address = new URL(page.url())
  expect(address.origin + address.pathname).toBe(`${wallet}/back`)
  return Object.fromEntries(address.searchParams)
}

/** Every place where page scripts could read it, or another site receive it. */
export async function assertTokenHidden(page: TestPage, token: string, referrers: string[]) {
  expect(page.url()).not.toContain(token)
  const storedTexts = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, history.state]),
  )
  expect(storedTexts).not.toContain(token)
  expect(referrers).toEqual([])
}

/** The page addresses in requests of this page. */
export function referrersOf(page: TestPage): string[] {
  const addresses: string[] = []
  page.on('request', (request) => {
    const { referer } = request.headers()
    if (referer) addresses.push(referer)
  })
  return addresses
}
