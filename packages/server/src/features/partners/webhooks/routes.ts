import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listOf } from '../../../platform/http/api/paging.ts'
import { groupRoutes, Nothing } from '../../../platform/http/api/schemas.ts'
import { callerOf, userOf } from '../../operations/access/access.ts'
import * as schema from './schema.ts'
import type { Webhooks } from './webhooks.ts'

type Options = { webhooks: Webhooks }

const read = { access: 'user', key_scopes: ['webhook:read', 'webhook:write'] } as const
const write = { access: 'user', key_scopes: ['webhook:write'] } as const
const guarded = { ...write, sensitive: 'code_or_nothing_keys_too' } as const
/** The address and the secret decide who gets the events, and outlive the session. */
const lasting = { ...write, sensitive: 'code_or_sign_in' } as const

const deliveryColumns = [
  'id',
  'event_id',
  'type',
  'emoji_id',
  'status',
  'tries',
  'response_status',
  'error',
  'created_at',
  'last_tried_at',
  'next_try_at',
]

export const webhookRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { webhooks }) => {
  groupRoutes(app, 'Webhooks')
  const params = schema.EndpointParams

  app.post('/webhook_endpoints', {
    config: { ...lasting, idempotent: 'secret', per_minute: [30, userOf] },
    schema: {
      operationId: 'createWebhookEndpoint',
      summary: 'Add a webhook endpoint',
      description:
        'It gets the events of your ids, orders and transfers, or those of the organization, which requires organization:write in it. The secret is shown once. An owner has at most 20 endpoints, and needs a confirmed email address.',
      body: schema.NewEndpoint,
      response: { 200: schema.EndpointWithSecret },
    },
    handler: async (request) => webhooks.createEndpoint(callerOf(request), request.body),
  })

  app.get('/webhook_endpoints', {
    config: {
      ...read,
      csv: ['id', 'url', 'types', 'status', 'status_reason', 'last_success_at', 'created_at'],
    },
    schema: {
      operationId: 'listWebhookEndpoints',
      summary: 'List webhook endpoints',
      querystring: schema.OwnerQuery,
      response: { 200: schema.EndpointList },
    },
    handler: async (request) =>
      webhooks.listEndpoints(callerOf(request), request.query.organization_id),
  })

  app.get('/webhook_endpoints/:id', {
    config: read,
    schema: {
      operationId: 'showWebhookEndpoint',
      summary: 'Show a webhook endpoint',
      params,
      response: { 200: schema.EndpointView },
    },
    handler: async (request) => webhooks.showEndpoint(callerOf(request), request.params.id),
  })

  app.patch('/webhook_endpoints/:id', {
    config: { ...guarded, per_minute: [30, userOf] },
    schema: {
      operationId: 'updateWebhookEndpoint',
      summary: 'Change, pause or enable a webhook endpoint',
      description:
        'A new address requires a fresh code, or a sign-in within the last 15 minutes from accounts without a second factor; API keys can’t set it. We email the owner. An API key needs order:readSelf to choose order.* events of its account, and emoji::transfer for transfer.* events.',
      params,
      body: schema.EndpointChange,
      response: { 200: schema.EndpointView },
    },
    handler: async (request) =>
      webhooks.changeEndpoint(callerOf(request), request.params.id, request.body),
  })

  app.post('/webhook_endpoints/:id/rotate', {
    config: { ...lasting, idempotent: 'secret', per_minute: [10, userOf] },
    schema: {
      operationId: 'rotateWebhookSecret',
      summary: 'Rotate the secret of a webhook endpoint',
      description:
        'A former secret also signs deliveries for 24 hours. At most two rotations are possible within 24 hours. The owner gets an email.',
      params,
      response: { 200: schema.EndpointWithSecret },
    },
    handler: async (request) => webhooks.rotateSecret(callerOf(request), request.params.id),
  })

  app.delete('/webhook_endpoints/:id', {
    config: { ...guarded, per_minute: [30, userOf] },
    schema: {
      operationId: 'deleteWebhookEndpoint',
      summary: 'Delete a webhook endpoint and its deliveries',
      description: 'An endpoint that an operator stopped cannot be deleted.',
      params,
      response: { 200: Nothing },
    },
    handler: async (request) => {
      await webhooks.deleteEndpoint(callerOf(request), request.params.id)
      return {}
    },
  })

  app.post('/webhook_endpoints/:id/test', {
    config: { ...write, per_minute: [10, userOf] },
    schema: {
      operationId: 'sendTestEvent',
      summary: 'Send a test event',
      description: 'Its type is webhook.test. The list of deliveries shows the result.',
      params,
      response: { 200: schema.DeliveryView },
    },
    handler: async (request) => webhooks.sendTestEvent(callerOf(request), request.params.id),
  })

  app.get('/webhook_endpoints/:id/deliveries', {
    config: { ...read, csv: deliveryColumns },
    schema: {
      operationId: 'listWebhookDeliveries',
      summary: 'List the deliveries of a webhook endpoint',
      description: 'Deliveries are stored for 30 days.',
      params,
      ...listOf(schema.DeliveryQuery, schema.DeliveryView),
    },
    handler: async (request) =>
      webhooks.listDeliveries(callerOf(request), request.params.id, request.query),
  })

  app.post('/webhook_endpoints/:id/deliveries/:delivery_id/redeliver', {
    config: { ...write, per_minute: [30, userOf] },
    schema: {
      operationId: 'redeliverWebhook',
      summary: 'Send a delivery again',
      params: schema.DeliveryParams,
      response: { 200: schema.DeliveryView },
    },
    handler: async (request) => {
      const { id, delivery_id } = request.params
      return webhooks.redeliver(callerOf(request), id, delivery_id)
    },
  })

  app.post('/webhook_endpoints/:id/replay', {
    config: { ...write, per_minute: [20, userOf] },
    schema: {
      operationId: 'replayWebhooks',
      summary: 'Send the events after a cursor again',
      description: 'Queues at most 1,000 events. Repeat with `next` until the replay is complete.',
      params,
      body: schema.ReplayRequest,
      response: { 200: schema.Replay },
    },
    handler: async (request) =>
      webhooks.replayEvents(callerOf(request), request.params.id, request.body),
  })
}

export const adminWebhookRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { webhooks }) => {
  groupRoutes(app, 'Operators')
  const params = schema.EndpointParams

  app.get('/admin/webhook_endpoints', {
    config: {
      access: 'domainAction:read',
      csv: [
        'id',
        'url',
        'status',
        'status_reason',
        'user_email',
        'organization_name',
        'created_at',
      ],
    },
    schema: {
      operationId: 'listAllWebhookEndpoints',
      summary: 'List the webhook endpoints of all owners',
      ...listOf(schema.AdminEndpointQuery, schema.AdminEndpointView),
    },
    handler: async ({ query }) => webhooks.listAllEndpoints(query),
  })

  app.get('/admin/webhook_endpoints/:id', {
    config: { access: 'domainAction:read' },
    schema: {
      operationId: 'showAnyWebhookEndpoint',
      summary: 'Show a webhook endpoint of any owner',
      params,
      response: { 200: schema.AdminEndpointView },
    },
    handler: async ({ params: { id } }) => webhooks.showAnyEndpoint(id),
  })

  app.get('/admin/webhook_endpoints/:id/deliveries', {
    config: { access: 'domainAction:read', csv: deliveryColumns },
    schema: {
      operationId: 'listAnyWebhookDeliveries',
      summary: 'List the deliveries of a webhook endpoint of any owner',
      params,
      ...listOf(schema.DeliveryQuery, schema.DeliveryView),
    },
    handler: async ({ params: { id }, query }) => webhooks.listAnyDeliveries(id, query),
  })

  app.patch('/admin/webhook_endpoints/:id', {
    config: { access: 'adminNotifications:write', sensitive: 'code_or_nothing' },
    schema: {
      operationId: 'stopWebhookEndpoint',
      summary: 'Stop or restore a webhook endpoint',
      description:
        'Its owner gets an email with the reason, and cannot delete the endpoint or add another one at its host. A restored endpoint is paused.',
      params,
      body: schema.EndpointStop,
      response: { 200: schema.AdminEndpointView },
    },
    handler: async (request) =>
      webhooks.stopEndpoint(callerOf(request), request.params.id, request.body),
  })
}
