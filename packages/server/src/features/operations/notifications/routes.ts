import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import { groupRoutes, Nullable, Timestamp } from '../../../platform/http/api/schemas.ts'
import { callerOf } from '../access/access.ts'
import type { Notifications } from './notifications.ts'
import { notificationsPerPage } from './rules.ts'

const Uuid = Type.String({ format: 'uuid' })

const NotificationQuery = Type.Object({
  before: Type.Optional(
    Type.String({ format: 'uuid', description: 'The `next` of the previous response' }),
  ),
  limit: Type.Integer({
    minimum: 1,
    default: notificationsPerPage,
    description: 'At most 50 are returned',
  }),
})
export type NotificationQuery = Static<typeof NotificationQuery>

const Unread = Type.Integer({ description: 'Unread notifications of the account' })

const NotificationPage = Type.Object({
  data: Type.Array(
    Type.Object({
      id: Uuid,
      kind: Type.String({ description: 'The kind of event, such as transfer_received' }),
      title: Type.String(),
      text: Type.String(),
      page: Type.String({ description: 'Path at the web site where the user can act' }),
      created_at: Timestamp,
      read_at: Nullable(Timestamp),
    }),
  ),
  next: Nullable(Uuid),
  unread: Unread,
})

const ReadRequest = Type.Object({
  up_to: Type.String({
    format: 'uuid',
    description: 'This notification and all older ones are marked as read',
  }),
})
const ReadAnswer = Type.Object({ unread: Unread })

export const notificationRoutes: FastifyPluginAsyncTypebox<{
  notifications: Notifications
}> = async (app, { notifications }) => {
  groupRoutes(app, 'Account')

  app.get('/account/notifications', {
    config: { access: 'session' },
    schema: {
      operationId: 'listNotifications',
      summary: 'List the notifications of the account, newest first',
      description:
        'One notification per email about an event, and one per sign-in from a new browser. They are deleted after 90 days, and beyond 200 per account. They never hold codes or one-time links.',
      querystring: NotificationQuery,
      response: { 200: NotificationPage },
    },
    handler: async (request) => notifications.listNotifications(callerOf(request), request.query),
  })

  app.post('/account/notifications/read', {
    config: { access: 'session' },
    schema: {
      operationId: 'markNotificationsRead',
      summary: 'Mark notifications as read',
      body: ReadRequest,
      response: { 200: ReadAnswer },
    },
    handler: async (request) => notifications.markRead(callerOf(request), request.body.up_to),
  })
}
