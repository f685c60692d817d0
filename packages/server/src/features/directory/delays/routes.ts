import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { groupRoutes, OptionalReasonBody } from '../../../platform/http/api/schemas.ts'
import { callerOf } from '../../operations/access/access.ts'
import { readEmojiId } from '../emoji-ids/emoji-ids.ts'
import type { Delays } from './delays.ts'
import { IdParams, Lock, NewLock } from './schema.ts'

export const delayRoutes: FastifyPluginAsyncTypebox<{ delays: Delays }> = async (
  app,
  { delays },
) => {
  groupRoutes(app, 'Own ids')
  const url = '/emoji_id/:emoji_id/delay_lock'
  const key_scopes = ['userData:update', 'organizationEmoji:write', 'adminEmoji:write']

  app.get(url, {
    config: { access: 'user', key_scopes },
    schema: {
      operationId: 'emojiIdDelayLock',
      summary: 'Show the delay lock and the waiting change',
      params: IdParams,
      response: { 200: Lock },
    },
    handler: async (request) =>
      delays.showLock(callerOf(request), readEmojiId(request.params.emoji_id)),
  })

  app.put(url, {
    // A stolen session or API key could otherwise lock in the addresses that an intruder changed.
    config: { access: 'user', key_scopes, sensitive: 'code_or_sign_in' },
    schema: {
      operationId: 'setEmojiIdDelayLock',
      summary: 'Set the delay of changed payment addresses',
      description:
        'A higher number takes effect immediately. A lower number, or 0 for off, takes effect after the current delay; send the current number to cancel it. API keys cannot set the lock.',
      params: IdParams,
      body: NewLock,
      response: { 200: Lock },
    },
    handler: async (request) =>
      delays.setLock(callerOf(request), readEmojiId(request.params.emoji_id), request.body),
  })

  app.delete('/emoji_id/:emoji_id/waiting_change', {
    config: { access: 'user', key_scopes, sensitive: 'code_or_nothing_keys_too' },
    schema: {
      operationId: 'cancelEmojiIdChange',
      summary: 'Cancel the waiting change of payment addresses',
      params: IdParams,
      querystring: OptionalReasonBody,
      response: { 200: Lock },
    },
    handler: async (request) =>
      delays.cancelChange(callerOf(request), readEmojiId(request.params.emoji_id), request.query),
  })
}
