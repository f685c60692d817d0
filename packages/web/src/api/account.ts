import { queryOptions } from '@tanstack/react-query'
import { minuteMs } from '../time.ts'
import { api, unwrap } from './client.ts'

/** Who is signed in. */
export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: () => unwrap(api.GET('/account')),
  staleTime: minuteMs,
})

/** Who sees the pages of operators; what they may do there, the service decides. */
export const isAdmin = (account: { role: string }): boolean =>
  account.role === 'Admin' || account.role === 'Super'
