import { AsyncLocalStorage } from 'node:async_hooks'
import type { SiteLinks } from './http/pages/links.ts'

/** The credential of a request: a session or an API key. */
type Credential = { by_session: string } | { by_key: string }

type Request = {
  id: string
  /** The rate limit key of the client. */
  network: string
  /** The User-Agent. */
  agent: string | undefined
  /** Whether the client has disconnected. */
  isGone: () => boolean
  /** The links in the footer of pages. */
  links: SiteLinks
  credential?: Credential
}

const storage = new AsyncLocalStorage<Request>()

/** Runs `work` in the context of this request. */
export const forRequest = (request: Request, work: () => void): void => storage.run(request, work)

/** The id of the current request, if there is one. */
export const currentRequestId = (): string | undefined => storage.getStore()?.id

/** Empty outside of a request, such as in a job. */
export const currentNetwork = (): string => storage.getStore()?.network ?? ''

/** Undefined outside of a request. */
export const currentAgent = (): string | undefined => storage.getStore()?.agent

/** Undefined outside of a request. */
export const currentLinks = (): SiteLinks | undefined => storage.getStore()?.links

/** Returns a check whether the client has disconnected; never true outside of a request. */
export const isCallerGone = (): (() => boolean) => storage.getStore()?.isGone ?? (() => false)

/** Records the credential of the current request. */
export function noteCredential(credential: Credential): void {
  const request = storage.getStore()
  if (request) request.credential = credential
}

export const currentCredential = (): Credential | undefined => storage.getStore()?.credential
