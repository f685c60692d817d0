import { type EmojiId, knownTags } from '@emojid/core'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendJson } from '../../../platform/http/api/json.ts'
import { listOf } from '../../../platform/http/api/paging.ts'
import { groupRoutes } from '../../../platform/http/api/schemas.ts'
import { createFixedAnswer, isKnown } from '../../../platform/http/etag.ts'
import { networkOf } from '../../../platform/http/network.ts'
import { callerOf } from '../../operations/access/access.ts'
import { readEmojiId } from '../emoji-ids/emoji-ids.ts'
import { type Answer, readPaymentView, readTags, type View } from './answers.ts'
import type { Records } from './records.ts'
import * as schema from './schema.ts'

export type RecordRoutes = { records: Records; cacheControl: string }

const longestReadMs = 30_000

/** Proofs are always revalidated, regardless of `LOOKUP_MAX_AGE`. */
const alwaysRevalidate = 'public, no-cache'

export const recordRoutes: FastifyPluginAsyncTypebox<RecordRoutes> = async (app, options) => {
  const { records, cacheControl } = options
  const config = { access: 'public', errors: 'lookup' } as const
  groupRoutes(app, 'Directory')
  const refusals = { 400: schema.LookupRefusal, 404: schema.LookupRefusal }

  const tell = (reply: FastifyReply, source: string | undefined) => {
    if (source !== undefined) reply.header('x-served-from', source)
  }
  const send = (
    request: FastifyRequest,
    reply: FastifyReply,
    { body, etag }: Answer,
    mayKeep = cacheControl,
  ) => {
    reply.header('etag', etag).header('cache-control', mayKeep)
    if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
    return sendJson(reply, body)
  }

  const sendLookup = async (
    request: FastifyRequest,
    reply: FastifyReply,
    id: EmojiId,
    view: View,
  ) => {
    const { answer, source } = await records.answerLookup(id, view, networkOf(request.ip))
    tell(reply, source)
    return send(request, reply, answer)
  }

  const sendTags = createFixedAnswer('application/json; charset=utf-8', () =>
    JSON.stringify(knownTags()),
  )

  // An empty id gets the same error as an invalid one.
  app.get('/emoji_id/', { config, schema: { hide: true } }, async () => readEmojiId(''))

  app.get('/emoji_id/:emoji_id', {
    config,
    schema: {
      operationId: 'lookupEmojiId',
      summary: 'Look up the records of an id',
      description:
        'An id that operators suspended is refused with 451 and the code `suspended`, here and in every other operation about it.',
      params: schema.IdParams,
      querystring: schema.TagsQuery,
      response: { 200: schema.LookupAnswer, ...refusals },
    },
    handler: async (request, reply) => {
      const tagList = readTags(request.query.tags)
      const view = { form: 'lookup' as const, ...(tagList ? { tags: tagList } : {}) }
      const id = readEmojiId(request.params.emoji_id)
      return sendLookup(request, reply, id, view)
    },
  })

  app.get('/emoji_id/:emoji_id/:tag', {
    config,
    schema: {
      operationId: 'lookupEmojiIdTicker',
      summary: 'Look up records of one ticker',
      description:
        'Records of its own category first, then tokens (0x6300) of that name. Other currencies (0x3fff) are found by a ticker without a category. 400 for a ticker that is neither known nor present.',
      params: schema.TickerParams,
      response: { 200: schema.TickerAnswer, ...refusals },
    },
    handler: async (request, reply) => {
      const id = readEmojiId(request.params.emoji_id)
      return sendLookup(request, reply, id, { form: 'ticker', ticker: request.params.tag })
    },
  })

  app.get('/emoji_id/:emoji_id/payment', {
    config,
    schema: {
      operationId: 'lookupEmojiIdPayment',
      summary: 'Look up one address per category',
      description:
        'Other currencies have the keys `0x3fff:TICKER`, and the latest of them also `0x3fff`. With token and network: the address for that token, and the record it comes from.',
      params: schema.IdParams,
      querystring: schema.PaymentQuery,
      response: { 200: schema.PaymentAnswer, ...refusals },
    },
    handler: async (request, reply) => {
      const id = readEmojiId(request.params.emoji_id)
      return sendLookup(request, reply, id, readPaymentView(request.query))
    },
  })

  app.get('/emoji_id/:eid/stats', {
    config: {
      access: 'user',
      key_scopes: ['userEmoji:list', 'organizationEmoji:list', 'adminEmoji:load'],
    },
    schema: {
      operationId: 'emojiIdStats',
      summary: 'How often an id was looked up',
      params: schema.EidParams,
      response: { 200: schema.StatsAnswer },
    },
    handler: async ({ params }) => records.showStats(readEmojiId(params.eid)),
  })

  app.get('/emoji_id/:emoji_id/proof', {
    config: { access: 'public' },
    schema: {
      operationId: 'emojiIdProof',
      summary: 'Records with proof and signature',
      description:
        'Each record leads to the merkle root; the key of the id signed the root: Schnorr over Ristretto255 with e = BLAKE2b-256(domain ‖ R ‖ P ‖ message).',
      params: schema.IdParams,
      response: { 200: schema.Proof },
    },
    handler: async (request, reply) => {
      const proof = await records.proveRecords(
        readEmojiId(request.params.emoji_id),
        networkOf(request.ip),
      )
      return send(request, reply, proof, alwaysRevalidate)
    },
  })

  app.get('/emoji_id/:emoji_id/history', {
    config: { access: 'public' },
    schema: {
      operationId: 'emojiIdHistory',
      summary: 'When the records of an id changed',
      params: schema.IdParams,
      response: { 200: schema.History },
    },
    handler: async ({ params, ip }) =>
      records.showHistory(readEmojiId(params.emoji_id), networkOf(ip)),
  })

  app.get('/emoji_id/:emoji_id/changes', {
    config: {
      access: 'user',
      cost: 'by_use_case',
      key_scopes: ['userData:update', 'organizationEmoji:write', 'adminEmoji:write'],
    },
    schema: {
      operationId: 'listEmojiIdChanges',
      tags: ['Own ids'],
      summary: 'List the changes of an id’s records, newest first',
      description: 'For callers who may edit the records. Changes by former owners are deleted.',
      params: schema.IdParams,
      ...listOf(schema.ChangeQuery, schema.Change),
    },
    handler: async (request) =>
      records.listChanges(callerOf(request), readEmojiId(request.params.emoji_id), request.query),
  })

  app.post('/emoji_id/lookup', {
    bodyLimit: 128 * 1024,
    config: { access: 'public', readable_everywhere: true, cost: 'by_use_case' },
    // Before the body is read: parsing and validating it costs more than the refusal.
    onRequest: async ({ ip }) => records.assertBatchAllowed(networkOf(ip)),
    schema: {
      operationId: 'lookupEmojiIds',
      summary: 'Look up to 1,000 ids at once',
      description:
        'A repeated id is returned once; its other items have the error `repeated`. Items beyond 2 MB have the error `too_large`: look them up in another request. The rate limit counts ids, not requests.',
      body: schema.Batch,
      response: { 200: schema.BatchAnswer },
    },
    handler: async ({ body, ip }, reply) => {
      const { answer: batch, source } = await records.lookUpBatch(body, networkOf(ip))
      const cutOff = setTimeout(() => reply.raw.destroy(), longestReadMs).unref()
      const letGo = () => {
        clearTimeout(cutOff)
        batch.release()
      }
      if (reply.raw.destroyed) letGo()
      else reply.raw.once('close', letGo)
      tell(reply, source)
      return sendJson(reply, batch.answer)
    },
  })

  app.get('/tags', {
    config: { access: 'public' },
    schema: {
      operationId: 'listTags',
      summary: 'List the kinds of records',
      response: { 200: schema.TagList },
    },
    handler: async (request, reply) => sendTags(request, reply),
  })
}
