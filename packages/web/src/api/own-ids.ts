import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, unwrap } from './client.ts'

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

/** The public page of an id reads it (packages/server/browser/id.js). */
const storage = 'own-ids'
const atMost = 500

/**
 * Remembers own ids in this browser, so that their public pages, which are the same for everybody,
 * show the link to edit them. It is no access: the account page checks the owner.
 */
function rememberOwnIds(ids: readonly string[]): void {
  try {
    const value: unknown = JSON.parse(window.localStorage.getItem(storage) ?? '[]')
    const before = Array.isArray(value) ? value : []
    const all = [...new Set([...ids, ...before])].slice(0, atMost)
    window.localStorage.setItem(storage, JSON.stringify(all))
  } catch {
    // Without storage, the owner opens the account first.
  }
}

function forgetOwnIds(): void {
  try {
    window.localStorage.removeItem(storage)
  } catch {
    // There was nothing to remove.
  }
}
