import type { TestPage } from './browser.ts'

/** Goes to another page as a link of the app does: nothing of it is loaded anew. */
export const goInApp = (page: TestPage, path: string): Promise<void> =>
  page.evaluate((to) => history.pushState({}, '', to), path)
