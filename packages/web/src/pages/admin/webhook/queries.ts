import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../../../api/client.ts'
import { omitEmpty } from '../../../api/omit-empty.ts'
import type { AnswerOf } from '../../../api/shapes.ts'

type Status = AnswerOf<'listAnyWebhookDeliveries'>['data'][number]['status']

export const anyEndpointQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin-webhooks', 'one', id],
    queryFn: () => unwrap(api.GET('/admin/webhook_endpoints/{id}', { params: { path: { id } } })),
    staleTime: 0,
  })

export const anyDeliveriesQuery = (id: string, page: number, status: Status | undefined) =>
  queryOptions({
    queryKey: ['admin-webhooks', 'deliveries', id, page, status],
    queryFn: () =>
      unwrap(
        api.GET('/admin/webhook_endpoints/{id}/deliveries', {
          params: { path: { id }, query: { page, limit: 25, ...omitEmpty({ status }) } },
        }),
      ),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

export const setStopped = (id: string, is_stopped: boolean, reason: string) =>
  unwrap(
    api.PATCH('/admin/webhook_endpoints/{id}', {
      params: { path: { id } },
      body: { is_stopped, reason },
    }),
  )
