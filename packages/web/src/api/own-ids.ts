import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, unwrap } from './client.ts'
import { forgetOwnIds, rememberOwnIds } from './own-id-hint.ts'

type Question = { page: number; q: string | undefined }

/** The ids of the account, page by page. */
export const ownIdPageQuery = ({ page, q }: Question) =>
  queryOptions({
    queryKey: ['own-ids', 'page', page, q],
    queryFn: async () => {
      const answer = await unwrap(
        api.GET('/account/emoji_ids', {
          params: { query: { page, limit: 20, ...(q ? { q } : {}) } },
        }),
      )
      // A complete list replaces the ids that this browser remembers.
      if (page === 0 && !q && answer.data.length === answer.paging.total) forgetOwnIds()
      rememberOwnIds(answer.data.map(({ canonical_format }) => canonical_format))
      return answer
    },
    placeholderData: keepPreviousData,
    // The account may just have bought one.
    staleTime: 0,
  })
