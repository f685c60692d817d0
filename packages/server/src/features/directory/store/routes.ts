import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { sendJson } from '../../../platform/http/api/json.ts'
import { groupRoutes, Nothing } from '../../../platform/http/api/schemas.ts'
import { networkOf } from '../../../platform/http/network.ts'
import { bodyBytesOf } from '../../../platform/http/server/connections.ts'
import { callerOf } from '../../operations/access/access.ts'
import { readEmojiId } from '../emoji-ids/emoji-ids.ts'
import { costs } from './load-entries.ts'
import { membersAtMost, readStoreKeys } from './rules.ts'
import {
  EntryParams,
  KeysQuery,
  LockBody,
  RedirectQuery,
  StoreBody,
  StoreEntries,
  StoreEntry,
  StoreParams,
} from './schema.ts'
import type { Store } from './store.ts'

const longestBody = 1024 * 1024

export const storeRoutes: FastifyPluginAsyncTypebox<{ store: Store }> = async (app, { store }) => {
  const config = { access: 'public', cost: 'by_use_case' } as const
  groupRoutes(app, 'Directory')
  const { written } = store.limits

  app.get('/emoji_id/:eid/json', {
    config,
    schema: {
      operationId: 'loadJsonIndex',
      summary: 'Read several store entries',
      params: StoreParams,
      querystring: KeysQuery,
      response: { 200: StoreEntries },
    },
    handler: async ({ params, query }, reply) => {
      const keys = readStoreKeys(query.keys)
      return sendJson(reply, await store.showEntries(readEmojiId(params.eid), keys))
    },
  })

  app.get('/emoji_id/:eid/json/:key', {
    config,
    schema: {
      operationId: 'loadJson',
      summary: 'Read one store entry',
      params: EntryParams,
      response: { 200: StoreEntry },
    },
    handler: async ({ params: { eid, key } }, reply) =>
      sendJson(reply, await store.showOneEntry(readEmojiId(eid), key)),
  })

  app.post('/emoji_id/:eid/json/:key', {
    bodyLimit: longestBody,
    config: {
      members: membersAtMost,
      cost: [written, costs.write],
      access: 'user',
      idempotent: true,
      key_scopes: ['userData:update', 'organizationEmoji:write', 'adminEmoji:write'],
    },
    // Counts the received body, because a client may declare any length, and disconnect after it.
    preParsing: async ({ ip, raw }, _reply, payload) => {
      payload.once('end', () => written.take(networkOf(ip), bodyBytesOf(raw)))
      return payload
    },
    schema: {
      operationId: 'storeJson',
      tags: ['Own ids'],
      summary: 'Write one store entry',
      params: EntryParams,
      body: StoreBody,
      response: { 200: Nothing },
    },
    handler: async (request) => {
      const { eid, key } = request.params
      await store.writeStoreEntry(callerOf(request), readEmojiId(eid), key, request.body)
      return {}
    },
  })

  app.put('/admin/emoji_ids/:eid/json/:key/lock', {
    config: { access: 'adminEmoji:updateSecureData', sensitive: 'code_or_nothing' },
    schema: {
      operationId: 'lockJson',
      tags: ['Operators'],
      summary: 'Lock or unlock a store entry',
      params: EntryParams,
      body: LockBody,
      response: { 200: StoreEntry },
    },
    handler: async (request, reply) => {
      const { eid, key } = request.params
      const { body } = request
      return sendJson(
        reply,
        await store.lockStoreEntry(callerOf(request), readEmojiId(eid), key, body),
      )
    },
  })

  app.get('/redirect', {
    config,
    schema: {
      operationId: 'linkRedirect',
      summary: 'Redirect to a link of an id',
      querystring: RedirectQuery,
      response: { 303: Type.Null() },
    },
    handler: async ({ query: { emoji_id, link } }, reply) =>
      reply.redirect(await store.findTarget(readEmojiId(emoji_id), link), 303),
  })
}
