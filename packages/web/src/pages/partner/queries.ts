import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../../api/client.ts'

export const setEmail = (body: { email: string; current_password?: string }) =>
  unwrap(api.PATCH('/account', { body }))

/** The ids of the signed-in account, in display form. */
export const ownIdsQuery = queryOptions({
  queryKey: ['own-ids'],
  queryFn: () => unwrap(api.GET('/emoji_id')),
  // The account may just have bought one.
  staleTime: 0,
})
