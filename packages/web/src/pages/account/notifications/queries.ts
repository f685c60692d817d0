import { infiniteQueryOptions } from '@tanstack/react-query'
import { accountQuery } from '../../../api/account.ts'
import { api, unwrap } from '../../../api/client.ts'
import { queries } from '../../../api/query-client.ts'

export type Notification = Awaited<ReturnType<typeof readPage>>['data'][number]

const readPage = (before: string | undefined) =>
  unwrap(api.GET('/account/notifications', { params: { query: before ? { before } : {} } }))

export const notificationsQuery = infiniteQueryOptions({
  queryKey: ['notifications'],
  queryFn: ({ pageParam }) => readPage(pageParam),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }) => next ?? undefined,
})

/** Marks a notification and all older ones as read, here and in the header. */
export async function markRead(up_to: string): Promise<void> {
  await unwrap(api.POST('/account/notifications/read', { body: { up_to } }))
  await Promise.all([
    queries.invalidateQueries({ queryKey: notificationsQuery.queryKey }),
    queries.invalidateQueries({ queryKey: accountQuery.queryKey }),
  ])
}
