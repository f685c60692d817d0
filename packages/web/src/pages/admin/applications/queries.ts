import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../../../api/client.ts'

type Question = { page: number; q: string | undefined; organization: string | undefined }

export const applicationPageQuery = ({ page, q, organization }: Question) =>
  queryOptions({
    queryKey: ['admin', 'applications', 'page', page, q, organization],
    queryFn: () => {
      const filters = {
        ...(q ? { q } : {}),
        ...(organization ? { organization_id: organization } : {}),
      }
      return unwrap(
        api.GET('/admin/oauth_clients', { params: { query: { page, limit: 50, ...filters } } }),
      )
    },
    placeholderData: keepPreviousData,
  })
