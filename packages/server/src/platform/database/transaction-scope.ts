import { AsyncLocalStorage } from 'node:async_hooks'

type Scope = { isOpen: boolean }

let scopes: AsyncLocalStorage<Scope> | undefined

/**
 * Makes a query outside the transaction throw while a transaction of the same caller is open. It
 * takes a second connection: with as many callers as connections, all of them wait for each other.
 * Tests call this; the service does not, so the checks cost it nothing.
 */
export function forbidSecondConnections(): void {
  scopes ??= new AsyncLocalStorage()
}

export async function runInScope<Result>(work: () => Promise<Result>): Promise<Result> {
  if (!scopes) return work()
  const scope = { isOpen: true }
  return scopes.run(scope, work).finally(() => {
    scope.isOpen = false
  })
}

export function assertOutsideTransaction(): void {
  if (scopes?.getStore()?.isOpen) {
    throw new Error('A second connection was requested inside a transaction. Query with trx.')
  }
}
