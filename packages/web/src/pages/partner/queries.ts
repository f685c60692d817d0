import { queryOptions } from '@tanstack/react-query'
import { requestedLinks } from '../../api/browser-notes.ts'
import { api, unwrap } from '../../api/client.ts'
import { throughVisit } from '../../api/partner-visit.ts'

/** Adds a first address. Its link signs in wherever it is opened, and continues this visit. */
export const setEmail = (change: { email: string; current_password?: string }) => {
  requestedLinks.note(change.email)
  const redirect = throughVisit(undefined)
  const body = redirect === undefined ? change : { ...change, redirect }
  return unwrap(api.PATCH('/account', { body }))
}

/** The ids of the signed-in account, in display form. */
export const ownIdsQuery = queryOptions({
  queryKey: ['own-ids'],
  queryFn: () => unwrap(api.GET('/emoji_id')),
  // The account may just have bought one.
  staleTime: 0,
})
