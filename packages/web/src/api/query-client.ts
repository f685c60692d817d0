import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { asProblem } from './problem.ts'

/** The operator may have lost the role, so a 403 refetches the account. */
function refetchAccount(error: unknown, key?: readonly unknown[]): void {
  if (asProblem(error).status !== 403 || key?.[0] === 'account') return
  if (window.location.pathname.startsWith('/admin')) {
    void queries.invalidateQueries({ queryKey: ['account'] })
  }
}

/**
 * Retries network errors only, never API errors. Offline requests fail immediately instead of being
 * queued: a queued action could run when the user no longer expects it.
 */
export const queries = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, { queryKey }) => refetchAccount(error, queryKey),
  }),
  mutationCache: new MutationCache({ onError: (error) => refetchAccount(error) }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      refetchOnWindowFocus: false,
      networkMode: 'always',
      refetchOnReconnect: true,
      retry: (count, error) =>
        count < 2 && navigator.onLine && [0, 503].includes(asProblem(error).status),
    },
    mutations: { networkMode: 'always' },
  },
})
