import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { groupRoutes } from '../../../platform/http/api/schemas.ts'
import { wantsEventStream } from '../../../platform/http/server/event-stream.ts'
import { anyCallerOf } from '../access/access.ts'
import type { Events } from './events.ts'
import * as schema from './schema.ts'

export const eventRoutes: FastifyPluginAsyncTypebox<{ events: Events }> = async (
  app,
  { events },
) => {
  groupRoutes(app, 'Events')
  app.addHook('preClose', async () => events.streams.closeAll())

  app.get('/events', {
    config: {
      access: 'optional',
      key_scopes: ['order:readSelf', 'domainEvent:read'],
      more_scopes: ['emoji::transfer'],
      readable_everywhere: true,
      streams: true,
      cost: 'by_use_case',
    },
    schema: {
      operationId: 'readEvents',
      summary: 'Read what changed',
      description:
        'The events of ids are public. Callers also read those of their own orders and transfers; an API key needs `order:readSelf` and `emoji::transfer` for that. Controllers and owners of an organization read those of its transfers and of orders in its partner flow; their keys need `domainEvent:read`. Without `after` reading starts now. With `accept: text/event-stream` the same events arrive as a stream of server-sent events: `id` is the cursor, `Last-Event-ID` resumes. A cursor whose next events are no longer stored gets 410.',
      querystring: schema.EventQuery,
      response: { 200: schema.EventPage },
    },
    handler: async (request, reply) => {
      const caller = anyCallerOf(request)
      if (!wantsEventStream(request)) return events.pollEvents(caller, request.query)
      const lastEventId = request.headers['last-event-id']
      const after =
        typeof lastEventId === 'string' && lastEventId !== '' ? lastEventId : request.query.after
      const query = { ...request.query, ...(after ? { after } : {}) }
      const following = await events.prepareFollowing(caller, query)
      void events.followEvents(following, events.streams.open(request, reply))
      return reply
    },
  })

  app.post('/events/watch', {
    config: { access: 'public', readable_everywhere: true, cost: 'by_use_case' },
    bodyLimit: 128 * 1024,
    schema: {
      operationId: 'watchIds',
      summary: 'Watch up to 1,000 ids',
      description:
        'Returns a token for `GET /events?watch=`, valid for one hour. Send the token as `watch` to renew it for another hour. The ids are not logged.',
      body: schema.WatchRequest,
      response: { 200: schema.Watch },
    },
    handler: async (request) => events.watchIds(request.body),
  })
}
