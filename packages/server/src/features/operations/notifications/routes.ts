import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../access/index.ts'
import type { Notifications } from './notifications.ts'
import { NotificationPage, NotificationQuery, ReadAnswer, ReadRequest } from './schema.ts'

export const notificationRoutes: FastifyPluginAsyncTypebox<{
  notifications: Notifications
}> = async (app, { notifications }) => {
  const tags = ['Account']

  app.route({
    method: 'GET',
    url: '/account/notifications',
    config: { access: 'session' },
    schema: {
      operationId: 'listNotifications',
      tags,
      summary: 'List the notifications of the account, newest first',
      description:
        'One notification per email about an event, and one per sign-in from a new browser. They are deleted after 90 days, and beyond 200 per account. They never hold codes or one-time links.',
      querystring: NotificationQuery,
      response: { 200: NotificationPage },
    },
    handler: async (request) => notifications.listNotifications(callerOf(request), request.query),
  })

  app.route({
    method: 'POST',
    url: '/account/notifications/read',
    config: { access: 'session' },
    schema: {
      operationId: 'markNotificationsRead',
      tags,
      summary: 'Mark notifications as read',
      body: ReadRequest,
      response: { 200: ReadAnswer },
    },
    handler: async (request) => notifications.markRead(callerOf(request), request.body.up_to),
  })
}
