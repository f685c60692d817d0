import { queryOptions } from '@tanstack/react-query'
import { api, told } from '../../api/client.ts'

export const setEmail = (body: { email: string; current_password: string }) =>
  told(api.PATCH('/account', { body }))

/** The ids of whoever is signed in, as they are displayed. */
export const ownIdsQuery = queryOptions({
  queryKey: ['own-ids'],
  queryFn: () => told(api.GET('/emoji_id')),
  // Somebody may just have got one.
  staleTime: 0,
})
