import { AsyncLocalStorage } from 'node:async_hooks'

/** What a request was made with: a session, or an API key. */
type Credential = { by_session: string } | { by_key: string }

type Request = {
  id: string
  /** The rate limit key of the client. */
  network: string
  /** What the client calls itself. */
  agent: string | undefined
  /** Whether the client has disconnected. */
  isGone: () => boolean
  credential?: Credential
}

const storage = new AsyncLocalStorage<Request>()

/** Whatever `work` does, it does for this request. */
export const forRequest = (request: Request, work: () => void): void => storage.run(request, work)

/** The request that is being handled, if any is. */
export const currentRequestId = (): string | undefined => storage.getStore()?.id

/** Empty outside of a request, such as in a job. */
export const currentNetwork = (): string => storage.getStore()?.network ?? ''

/** Nothing outside of a request. */
export const currentAgent = (): string | undefined => storage.getStore()?.agent

/** Tells later whether the client of this request has disconnected; never outside of a request. */
export const isCallerGone = (): (() => boolean) => storage.getStore()?.isGone ?? (() => false)

/** From now on it is known what this request was made with. */
export function noteCredential(credential: Credential): void {
  const request = storage.getStore()
  if (request) request.credential = credential
}

export const currentCredential = (): Credential | undefined => storage.getStore()?.credential
