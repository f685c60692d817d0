import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../../../../api/client.ts'

/** The suspended ids of a user, the latest first. */
export const suspensionsQuery = (user_id: string) =>
  queryOptions({
    queryKey: ['suspensions', user_id],
    queryFn: () =>
      unwrap(api.GET('/admin/suspensions', { params: { query: { user_id, limit: 200 } } })),
  })

export const suspensionActions = (emoji_id: string) => {
  const params = { path: { emoji_id } }
  return {
    suspend: (reason: string) =>
      unwrap(api.POST('/admin/emoji_ids/{emoji_id}/suspend', { params, body: { reason } })),
    restore: (reason: string) =>
      unwrap(api.POST('/admin/emoji_ids/{emoji_id}/restore', { params, body: { reason } })),
  }
}
