import { QueryClient } from '@tanstack/react-query'
import { asProblem } from './problem.ts'

/**
 * What the service refuses stays refused; only the network is asked again. Without one it is said at
 * once: nothing waits for it, to be done when nobody expects it any more.
 */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      ...{ staleTime: 10_000, refetchOnWindowFocus: false, networkMode: 'always' },
      retry: (count, thrown) =>
        count < 2 && navigator.onLine && [0, 503].includes(asProblem(thrown).status),
    },
    mutations: { networkMode: 'always' },
  },
})
