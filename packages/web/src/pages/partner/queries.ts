import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../../api/client.ts'

export const setEmail = (body: { email: string; current_password: string }) =>
  unwrap(api.PATCH('/account', { body }))

/** The ids of whoever is signed in, as they are displayed. */
export const ownIdsQuery = queryOptions({
  queryKey: ['own-ids'],
  queryFn: () => unwrap(api.GET('/emoji_id')),
  // Somebody may just have got one.
  staleTime: 0,
})
