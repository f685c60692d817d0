import { AsyncLocalStorage } from 'node:async_hooks'

/** What a request was made with: a session, or an API key. */
type Credential = { by_session: string } | { by_key: string }

const storage = new AsyncLocalStorage<{ id: string; credential?: Credential }>()

/** Whatever `work` does, it does for this request. */
export const forRequest = (id: string, work: () => void): void => storage.run({ id }, work)

/** The request that is being handled, if any is. */
export const currentRequestId = (): string | undefined => storage.getStore()?.id

/** From now on it is known what this request was made with. */
export function noteCredential(credential: Credential): void {
  const request = storage.getStore()
  if (request) request.credential = credential
}

export const currentCredential = (): Credential | undefined => storage.getStore()?.credential
