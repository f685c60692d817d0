import type { PageFetcher } from '../../../platform/outside/fetch-page.ts'

export type Options = { fetchPage: PageFetcher }

export type Deps = Options & {
  /** The user of each running fetch. */
  fetching: string[]
}
