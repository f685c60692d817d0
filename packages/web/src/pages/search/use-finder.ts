import { useQuery } from '@tanstack/react-query'

/** The emoji finder, once it is loaded. */
export const useFinder = () =>
  useQuery({
    queryKey: ['finder'],
    queryFn: () => import('./finder.ts'),
    staleTime: Number.POSITIVE_INFINITY,
  })

export type Finder = typeof import('./finder.ts')
