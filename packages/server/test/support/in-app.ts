import type { TestPage } from './browser.ts'

/** Navigates like a link of the app, without a page load. */
export const goInApp = (page: TestPage, path: string): Promise<void> =>
  page.evaluate((to) => history.pushState({}, '', to), path)
