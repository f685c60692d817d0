import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../../../api/client.ts'
import { omitEmpty } from '../../../api/omit-empty.ts'
import type { AnswerOf, BodyOf } from '../../../api/shapes.ts'

export type Endpoint = AnswerOf<'listWebhookEndpoints'>[number]
type NewEndpoint = BodyOf<'createWebhookEndpoint'>

export const endpointsQuery = (organization_id: string | undefined) =>
  queryOptions({
    queryKey: ['webhooks', organization_id ?? ''],
    queryFn: () =>
      unwrap(api.GET('/webhook_endpoints', { params: { query: omitEmpty({ organization_id }) } })),
    staleTime: 0,
  })

export const organizationsQuery = queryOptions({
  queryKey: ['own-organizations'],
  queryFn: () => unwrap(api.GET('/organizations')),
})

export const createEndpoint = (body: NewEndpoint) =>
  unwrap(api.POST('/webhook_endpoints', { body }))
