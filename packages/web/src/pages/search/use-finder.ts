import { useQuery } from '@tanstack/react-query'

/** Names and keywords of emojis, once they are there. */
export const useFinder = () =>
  useQuery({
    queryKey: ['finder'],
    queryFn: () => import('./finder.ts'),
    staleTime: Number.POSITIVE_INFINITY,
  })

export type Finder = typeof import('./finder.ts')
