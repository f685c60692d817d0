import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../../../api/client.ts'
import { omitEmpty } from '../../../api/omit-empty.ts'
import type { AnswerOf } from '../../../api/shapes.ts'

export type AnyEndpoint = AnswerOf<'listAllWebhookEndpoints'>['data'][number]
type Filter = { q: string | undefined; status: AnyEndpoint['status'] | undefined }

export const endpointPageQuery = (page: number, filter: Filter) =>
  queryOptions({
    queryKey: ['admin-webhooks', page, filter],
    queryFn: () =>
      unwrap(
        api.GET('/admin/webhook_endpoints', {
          params: { query: { page, limit: 50, ...omitEmpty(filter) } },
        }),
      ),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
