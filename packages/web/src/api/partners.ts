import { queryOptions } from '@tanstack/react-query'
import type { operations } from '../generated/api.ts'
import { minuteMs } from '../time.ts'
import { api, told } from './client.ts'

export type Branding = operations['getBranding']['responses'][200]['content']['application/json']

/** How a partner looks, and what was agreed with it. */
export const brandingQuery = (id: string) =>
  queryOptions({
    queryKey: ['branding', id],
    queryFn: () => told(api.GET('/organizations/{id}/branding', { params: { path: { id } } })),
    staleTime: 10 * minuteMs,
  })

/** The ids of whoever is signed in, as they are displayed. */
export const ownIdsQuery = queryOptions({
  queryKey: ['own-ids'],
  queryFn: () => told(api.GET('/emoji_id')),
  // Somebody may just have got one.
  staleTime: 0,
})
