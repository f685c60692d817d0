import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Why } from '../../../platform/http/schemas.ts'
import { callerOf } from '../../operations/access/index.ts'
import { readEmojiId } from '../emoji-ids/emoji-ids.ts'
import * as schema from './schema.ts'
import type { Suspensions } from './suspensions.ts'

export const suspensionRoutes: FastifyPluginAsyncTypebox<{ suspensions: Suspensions }> = async (
  app,
  { suspensions },
) => {
  const tags = ['Operators']

  app.route({
    method: 'GET',
    url: '/admin/suspensions',
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
      tags,
      summary: 'List suspended ids',
      querystring: schema.SuspensionQuery,
      response: { 200: schema.SuspensionPage },
    },
    handler: async ({ query }) => suspensions.listSuspensions(query),
  })

  app.route({
    method: 'GET',
    url: '/admin/emoji_ids/:emoji_id/suspension',
    config: { access: 'adminEmoji:load' },
    schema: {
      operationId: 'showSuspension',
      tags,
      summary: 'Show whether an id is suspended',
      params: schema.IdParams,
      response: { 200: schema.SuspensionState },
    },
    handler: async ({ params }) => suspensions.showSuspension(readEmojiId(params.emoji_id)),
  })

  app.route({
    method: 'POST',
    url: '/admin/emoji_ids/:emoji_id/suspend',
    config: { access: 'adminEmoji:updateSecureData', sensitive: 'code_or_nothing' },
    schema: {
      operationId: 'suspendEmojiId',
      tags,
      summary: 'Suspend an id',
      description:
        'Lookups, page and picture answer 451 with the code `suspended`, and nothing about the id can be changed. Planned changes of payment addresses are cancelled. The owner gets an email with the reason. Operators can’t suspend their own ids.',
      params: schema.IdParams,
      body: Why,
      response: { 200: schema.SuspensionState },
    },
    handler: async (request) =>
      suspensions.suspendId(
        callerOf(request),
        readEmojiId(request.params.emoji_id),
        request.body.reason,
      ),
  })

  app.route({
    method: 'POST',
    url: '/admin/emoji_ids/:emoji_id/restore',
    config: { access: 'adminEmoji:updateSecureData', sensitive: 'code_or_nothing' },
    schema: {
      operationId: 'restoreEmojiId',
      tags,
      summary: 'Restore a suspended id',
      description: 'The owner gets an email. Operators can’t restore their own ids.',
      params: schema.IdParams,
      body: Why,
      response: { 200: schema.SuspensionState },
    },
    handler: async (request) =>
      suspensions.restoreId(
        callerOf(request),
        readEmojiId(request.params.emoji_id),
        request.body.reason,
      ),
  })
}
