import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../../../api/client.ts'
import { omitEmpty } from '../../../api/omit-empty.ts'
import type { AnswerOf, BodyOf } from '../../../api/shapes.ts'

export type Endpoint = AnswerOf<'showWebhookEndpoint'>
type Status = AnswerOf<'listWebhookDeliveries'>['data'][number]['status']

const refreshMs = 3_000

export const endpointQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhooks', 'one', id],
    queryFn: () => unwrap(api.GET('/webhook_endpoints/{id}', { params: { path: { id } } })),
    staleTime: 0,
  })

export const deliveriesQuery = (id: string, page: number, status: Status | undefined) =>
  queryOptions({
    queryKey: ['webhooks', 'deliveries', id, page, status],
    queryFn: () =>
      unwrap(
        api.GET('/webhook_endpoints/{id}/deliveries', {
          params: { path: { id }, query: { page, limit: 25, ...omitEmpty({ status }) } },
        }),
      ),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: refreshMs,
  })

export const changeEndpoint = (id: string, body: BodyOf<'updateWebhookEndpoint'>) =>
  unwrap(api.PATCH('/webhook_endpoints/{id}', { params: { path: { id } }, body }))

export const sendTest = (id: string) =>
  unwrap(api.POST('/webhook_endpoints/{id}/test', { params: { path: { id } } }))

export const rotateSecret = (id: string) =>
  unwrap(api.POST('/webhook_endpoints/{id}/rotate', { params: { path: { id } } }))

export const deleteEndpoint = (id: string) =>
  unwrap(api.DELETE('/webhook_endpoints/{id}', { params: { path: { id } } }))

export const redeliver = (id: string, delivery_id: string) =>
  unwrap(
    api.POST('/webhook_endpoints/{id}/deliveries/{delivery_id}/redeliver', {
      params: { path: { id, delivery_id } },
    }),
  )

/** Replays in parts; returns how many events were queued. */
export async function replay(id: string, from: string): Promise<number> {
  let after = from
  let count = 0
  for (;;) {
    const part = await unwrap(
      api.POST('/webhook_endpoints/{id}/replay', { params: { path: { id } }, body: { after } }),
    )
    count += part.queued
    if (part.is_complete) return count
    after = part.next
  }
}
