import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../../../api/client.ts'
import { omitEmpty } from '../../../api/omit-empty.ts'
import { Problem } from '../../../api/problem.ts'
import type { AnswerOf } from '../../../api/shapes.ts'

export type ReservedEntry = AnswerOf<'listReservedIds'>['data'][number]

export const reservedPageQuery = (page: number, { q }: { q: string | undefined }) =>
  queryOptions({
    queryKey: ['admin-reserved', page, q],
    queryFn: () =>
      unwrap(
        api.GET('/admin/reserved_ids', {
          params: { query: { page, limit: 50, ...omitEmpty({ q }) } },
        }),
      ),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

export async function reserve(pattern: string, reason: string): Promise<void> {
  const body = { rows: [{ pattern, reason }] }
  const { data } = await unwrap(api.POST('/admin/reserved_ids/import', { body }))
  const error = data[0]?.error
  if (error) throw new Problem(422, { error: error.message, code: error.code })
}

export const removeReserved = (pattern: string, reason: string) =>
  unwrap(api.DELETE('/admin/reserved_ids', { params: { query: { pattern, reason } } }))
