import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../../../api/client.ts'
import { omitEmpty } from '../../../api/omit-empty.ts'
import type { AnswerOf } from '../../../api/shapes.ts'

export type ReportView = AnswerOf<'findReports'>['data'][number]
type Category = ReportView['category']

export const reportCategories: readonly Category[] = [
  'scam',
  'impersonation',
  'offensive',
  'illegal',
  'other',
]
/** Without a choice the list shows open reports. */
export const otherStates = ['decided', 'every'] as const

type Filters = {
  state: (typeof otherStates)[number] | undefined
  category: Category | undefined
  id: string | undefined
  from: string | undefined
  to: string | undefined
}

/** The filters of the list, as the service names them. */
export const reportFilters = ({ state, category, id, from, to }: Filters) =>
  omitEmpty({
    status: state === 'every' ? undefined : (state ?? ('open' as const)),
    category,
    emoji_id: id,
    from,
    to,
  })

export const reportPageQuery = (page: number, filters: Filters) =>
  queryOptions({
    queryKey: ['admin-reports', 'page', page, filters],
    queryFn: () => {
      const query = {
        page,
        limit: 50,
        // Open reports wait: the oldest comes first.
        dir: filters.state === undefined ? ('Asc' as const) : ('Desc' as const),
        ...reportFilters(filters),
      }
      return unwrap(api.GET('/admin/reports', { params: { query } }))
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
