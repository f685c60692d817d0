import { queryOptions } from '@tanstack/react-query'
import { minuteMs } from '../time.ts'
import { api, unwrap } from './client.ts'

/** The signed-in account. */
export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: () => unwrap(api.GET('/account')),
  staleTime: minuteMs,
})

/** Shows the operator pages. The service checks every permission itself. */
export const isAdmin = (account: { role: string }): boolean =>
  account.role === 'Admin' || account.role === 'Super'
