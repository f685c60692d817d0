import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import { listOf, pagingQuery } from '../../../platform/http/api/paging.ts'
import { groupRoutes, Nullable, Timestamp } from '../../../platform/http/api/schemas.ts'
import { EmojiIdText } from '../../directory/emoji-ids/emoji-ids.ts'
import { callerOf } from '../../operations/access/access.ts'
import type { Interests } from './interests.ts'

const Interest = Type.Object({
  id: Type.String({ format: 'uuid' }),
  user_id: Type.String({ format: 'uuid' }),
  emoji_id: Type.String({ description: 'Canonical format' }),
  created_at: Timestamp,
  updated_at: Timestamp,
  /** When the email about its availability was queued. */
  notified_at: Nullable(Timestamp),
})
export const InterestQuery = pagingQuery(['created_at', 'updated_at', 'emoji_id'], {
  sort: 'created_at',
  dir: 'Desc',
})
export type InterestQuery = Static<typeof InterestQuery>

const NewInterest = Type.Object({ emoji_id: EmojiIdText })
const InterestParams = Type.Object({ emoji_id: EmojiIdText })

type Options = { interests: Interests }

export const interestRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { interests }) => {
  groupRoutes(app, 'Interests')

  app.get('/user_interests', {
    config: { access: 'userInterest:read', csv: ['emoji_id', 'created_at', 'notified_at'] },
    schema: {
      operationId: 'listUserInterests',
      summary: 'List own interests',
      ...listOf(InterestQuery, Interest),
    },
    handler: async (request) => interests.listInterests(callerOf(request), request.query),
  })

  app.post('/user_interests', {
    config: { access: 'userInterest:write', idempotent: true, cost: [interests.registrations, 1] },
    schema: {
      operationId: 'registerInterest',
      summary: 'Register interest in an id',
      description: 'When the id is released, one mail is sent to the confirmed email address.',
      body: NewInterest,
      response: { 200: Interest },
    },
    handler: async (request) =>
      interests.registerInterest(callerOf(request), request.body.emoji_id),
  })

  app.get('/user_interests/:emoji_id', {
    config: { access: 'userInterest:read' },
    schema: {
      operationId: 'getUserInterest',
      summary: 'Show interest in an id',
      params: InterestParams,
      response: { 200: Interest },
    },
    handler: async (request) => interests.showInterest(callerOf(request), request.params.emoji_id),
  })

  app.delete('/user_interests/:emoji_id', {
    config: { access: 'userInterest:delete' },
    schema: {
      operationId: 'deleteUserInterest',
      summary: 'Remove an interest in an id',
      params: InterestParams,
      response: { 200: Interest },
    },
    handler: async (request) =>
      interests.removeInterest(callerOf(request), request.params.emoji_id),
  })
}
