import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import { listOf, pagingQuery } from '../../../platform/http/api/paging.ts'
import {
  groupRoutes,
  Nullable,
  SearchText,
  Timestamp,
  Why,
} from '../../../platform/http/api/schemas.ts'
import { callerOf } from '../../operations/access/access.ts'
import { EmojiIdText, readEmojiId } from '../emoji-ids/emoji-ids.ts'
import type { Suspensions } from './suspensions.ts'

const IdParams = Type.Object({ emoji_id: EmojiIdText })

const Uuid = Type.String({ format: 'uuid' })

export const SuspensionState = Type.Object({
  emoji_id: Type.String({ description: 'The display format' }),
  canonical_format: Type.String(),
  suspended_at: Nullable(Timestamp),
  reason: Nullable(Type.String()),
  with_owner: Type.Boolean({
    description: 'Suspended because the account of its owner was deactivated',
  }),
  user_id: Nullable(Uuid),
  organization_id: Nullable(Uuid),
})
export type SuspensionState = Static<typeof SuspensionState>
const SuspensionEntry = Type.Object({
  ...SuspensionState.properties,
  owner_email: Nullable(Type.String()),
  organization_name: Nullable(Type.String()),
  suspended_by: Nullable(Uuid),
  suspended_by_email: Nullable(Type.String()),
})

export const SuspensionQuery = Type.Object({
  ...pagingQuery(['suspended_at'], { sort: 'suspended_at', dir: 'Desc' }).properties,
  q: SearchText(
    'An id, or part of the reason, of the email address of the owner or operator, or of the organization',
  ),
  user_id: Type.Optional(Type.String({ format: 'uuid', description: 'Only ids of this user' })),
})
export type SuspensionQuery = Static<typeof SuspensionQuery>

export const suspensionRoutes: FastifyPluginAsyncTypebox<{ suspensions: Suspensions }> = async (
  app,
  { suspensions },
) => {
  groupRoutes(app, 'Operators')

  app.get('/admin/suspensions', {
    config: {
      access: 'adminEmoji:load',
      csv: [
        'emoji_id',
        'canonical_format',
        'suspended_at',
        'reason',
        'with_owner',
        'user_id',
        'organization_id',
        'owner_email',
        'organization_name',
        'suspended_by_email',
      ],
    },
    schema: {
      operationId: 'listSuspensions',
      summary: 'List suspended ids',
      ...listOf(SuspensionQuery, SuspensionEntry),
    },
    handler: async ({ query }) => suspensions.listSuspensions(query),
  })

  app.get('/admin/emoji_ids/:emoji_id/suspension', {
    config: { access: 'adminEmoji:load' },
    schema: {
      operationId: 'showSuspension',
      summary: 'Show whether an id is suspended',
      params: IdParams,
      response: { 200: SuspensionState },
    },
    handler: async ({ params }) => suspensions.showSuspension(readEmojiId(params.emoji_id)),
  })

  app.post('/admin/emoji_ids/:emoji_id/suspend', {
    config: { access: 'adminEmoji:updateSecureData', sensitive: 'code_or_nothing' },
    schema: {
      operationId: 'suspendEmojiId',
      summary: 'Suspend an id',
      description:
        'Lookups, page and picture answer 451 with the code `suspended`, and nothing about the id can be changed. Planned changes of payment addresses are cancelled. The owner gets an email with the reason. Operators can’t suspend their own ids.',
      params: IdParams,
      body: Why,
      response: { 200: SuspensionState },
    },
    handler: async (request) =>
      suspensions.suspendId(
        callerOf(request),
        readEmojiId(request.params.emoji_id),
        request.body.reason,
      ),
  })

  app.post('/admin/emoji_ids/:emoji_id/restore', {
    config: { access: 'adminEmoji:updateSecureData', sensitive: 'code_or_nothing' },
    schema: {
      operationId: 'restoreEmojiId',
      summary: 'Restore a suspended id',
      description: 'The owner gets an email. Operators can’t restore their own ids.',
      params: IdParams,
      body: Why,
      response: { 200: SuspensionState },
    },
    handler: async (request) =>
      suspensions.restoreId(
        callerOf(request),
        readEmojiId(request.params.emoji_id),
        request.body.reason,
      ),
  })
}
