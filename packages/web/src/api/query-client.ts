import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { asProblem } from './problem.ts'

/** An operator may have become a plain user meanwhile: their pages ask anew who they are. */
function askWhoItIs(thrown: unknown, key?: readonly unknown[]): void {
  if (asProblem(thrown).status !== 403 || key?.[0] === 'account') return
  if (window.location.pathname.startsWith('/admin')) {
    void queries.invalidateQueries({ queryKey: ['account'] })
  }
}

/**
 * What the service refuses stays refused; only the network is asked again. Without one it is said at
 * once: nothing waits for it, to be done when nobody expects it any more.
 */
export const queries = new QueryClient({
  queryCache: new QueryCache({ onError: (thrown, { queryKey }) => askWhoItIs(thrown, queryKey) }),
  mutationCache: new MutationCache({ onError: (thrown) => askWhoItIs(thrown) }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      refetchOnWindowFocus: false,
      networkMode: 'always',
      retry: (count, thrown) =>
        count < 2 && navigator.onLine && [0, 503].includes(asProblem(thrown).status),
    },
    mutations: { networkMode: 'always' },
  },
})
