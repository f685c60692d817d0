import { queryOptions } from '@tanstack/react-query'
import { api, told } from './client.ts'

/** Who is signed in. */
export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: () => told(api.GET('/account')),
  staleTime: 60_000,
})
