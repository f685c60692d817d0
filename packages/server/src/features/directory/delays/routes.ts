import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { MaybeWhy } from '../../../platform/http/schemas.ts'
import { callerOf } from '../../operations/access/index.ts'
import { readEmojiId } from '../emoji-ids/index.ts'
import type { Delays } from './delays.ts'
import { IdParams, Lock, NewLock } from './schema.ts'

export const delayRoutes: FastifyPluginAsyncTypebox<{ delays: Delays }> = async (
  app,
  { delays },
) => {
  const tags = ['Own ids']
  const url = '/emoji_id/:emoji_id/delay_lock'
  const key_scopes = ['userData:update', 'organizationEmoji:write', 'adminEmoji:write']

  app.route({
    method: 'GET',
    url,
    config: { access: 'user', key_scopes },
    schema: {
      operationId: 'emojiIdDelayLock',
      tags,
      summary: 'For how long changed payment addresses wait, and what waits now',
      params: IdParams,
      response: { 200: Lock },
    },
    handler: async (request) =>
      delays.showLock(callerOf(request), readEmojiId(request.params.emoji_id)),
  })

  app.route({
    method: 'PUT',
    url,
    // With a stolen session or key an intruder could otherwise lock in the addresses that they
    // changed.
    config: { access: 'user', key_scopes, sensitive: 'recent_login' },
    schema: {
      operationId: 'setEmojiIdDelayLock',
      tags,
      summary: 'Let changed payment addresses take effect only after some hours',
      description:
        'A higher number holds at once. A lower one, and 0 for off, holds after as many hours as the lock has now; until then the number it has now takes that back. Not by an API key.',
      params: IdParams,
      body: NewLock,
      response: { 200: Lock },
    },
    handler: async (request) =>
      delays.setLock(callerOf(request), readEmojiId(request.params.emoji_id), request.body),
  })

  app.route({
    method: 'DELETE',
    url: '/emoji_id/:emoji_id/waiting_change',
    config: { access: 'user', key_scopes, sensitive: 'for_keys_too' },
    schema: {
      operationId: 'cancelEmojiIdChange',
      tags,
      summary: 'Cancel a change of payment addresses that waits for its time',
      params: IdParams,
      querystring: MaybeWhy,
      response: { 200: Lock },
    },
    handler: async (request) =>
      delays.cancelChange(callerOf(request), readEmojiId(request.params.emoji_id), request.query),
  })
}
