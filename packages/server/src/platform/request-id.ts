import { AsyncLocalStorage } from 'node:async_hooks'

const storage = new AsyncLocalStorage<string>()

/** Whatever `work` does, it does for this request. */
export const forRequest = (id: string, work: () => void): void => storage.run(id, work)

/** The request that is being handled, if any is. */
export const currentRequestId = (): string | undefined => storage.getStore()
