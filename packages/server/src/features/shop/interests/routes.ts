import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { networkOf } from '../../../platform/http/network.ts'
import { callerOf } from '../../operations/access/index.ts'
import type { Interests } from './interests.ts'
import { Interest, InterestPage, InterestParams, InterestQuery, NewInterest } from './schema.ts'

type Options = { interests: Interests }

export const interestRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { interests }) => {
  const tags = ['Interests']

  app.route({
    method: 'GET',
    url: '/user_interests',
    config: { access: 'userInterest:read', csv: ['emoji_id', 'created_at', 'notified_at'] },
    schema: {
      operationId: 'listUserInterests',
      tags,
      summary: 'List own interests',
      querystring: InterestQuery,
      response: { 200: InterestPage },
    },
    handler: async (request) => interests.listInterests(callerOf(request), request.query),
  })

  app.route({
    method: 'POST',
    url: '/user_interests',
    config: { access: 'userInterest:write', idempotent: true, limited: true },
    onRequest: async ({ ip }) => interests.limits.registered.spend(networkOf(ip), 1),
    schema: {
      operationId: 'registerInterest',
      tags,
      summary: 'Register interest in an id',
      description: 'When the id is released, one mail is sent to the confirmed email address.',
      body: NewInterest,
      response: { 200: Interest },
    },
    handler: async (request) =>
      interests.registerInterest(callerOf(request), request.body.emoji_id),
  })

  app.route({
    method: 'GET',
    url: '/user_interests/:emoji_id',
    config: { access: 'userInterest:read' },
    schema: {
      operationId: 'getUserInterest',
      tags,
      summary: 'Show interest in an id',
      params: InterestParams,
      response: { 200: Interest },
    },
    handler: async (request) => interests.showInterest(callerOf(request), request.params.emoji_id),
  })

  app.route({
    method: 'DELETE',
    url: '/user_interests/:emoji_id',
    config: { access: 'userInterest:delete' },
    schema: {
      operationId: 'deleteUserInterest',
      tags,
      summary: 'Remove an interest in an id',
      params: InterestParams,
      response: { 200: Interest },
    },
    handler: async (request) =>
      interests.removeInterest(callerOf(request), request.params.emoji_id),
  })
}
