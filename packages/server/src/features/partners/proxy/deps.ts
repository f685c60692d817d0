import type { PageFetcher } from '../../../platform/outside/fetch-page.ts'

export type Options = { fetchPage: PageFetcher }

export type Deps = Options & {
  /** The users whose pages are being fetched, once per fetch. */
  fetching: string[]
}
