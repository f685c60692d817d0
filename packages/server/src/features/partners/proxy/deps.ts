import type { PageFetcher } from '../../../platform/outside/fetch-page.ts'

export type Options = { fetchPage: PageFetcher }

export type Deps = Options & {
  /** The running fetches. */
  fetching: { user_id: string; network: string }[]
}
