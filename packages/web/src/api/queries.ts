import { QueryClient } from '@tanstack/react-query'
import { asProblem } from './problem.ts'

/** What the service refuses stays refused; only the network is asked again. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      ...{ staleTime: 10_000, refetchOnWindowFocus: false },
      retry: (count, thrown) => count < 2 && [0, 503].includes(asProblem(thrown).status),
    },
  },
})
