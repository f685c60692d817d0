import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, unwrap } from './client.ts'

type Question = { page: number; q: string | undefined }

/** The ids of the account, page by page. */
export const ownIdPageQuery = ({ page, q }: Question) =>
  queryOptions({
    queryKey: ['own-ids', 'page', page, q],
    queryFn: () =>
      unwrap(
        api.GET('/account/emoji_ids', {
          params: { query: { page, limit: 20, ...(q ? { q } : {}) } },
        }),
      ),
    placeholderData: keepPreviousData,
    // The account may just have bought one.
    staleTime: 0,
  })
