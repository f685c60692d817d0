import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { MaybeWhy } from '../../../platform/http/schemas.ts'
import { callerOf } from '../../operations/access/index.ts'
import * as schema from './schema.ts'
import type { Transfers } from './transfers.ts'

type Options = { transfers: Transfers }

export const transferRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { transfers }) => {
  const tags = ['Transfers']

  app.route({
    method: 'GET',
    url: '/transfers',
    config: { access: 'emoji::transfer', more_scopes: ['adminEmoji:transfer'] },
    schema: {
      operationId: 'listTransfers',
      tags,
      summary: 'List outgoing transfers',
      querystring: schema.OutgoingQuery,
      response: { 200: schema.TransferPage },
    },
    handler: async (request) => transfers.listOutgoing(callerOf(request), request.query),
  })

  app.route({
    method: 'GET',
    url: '/transfers/incoming',
    config: { access: 'emoji::transfer' },
    schema: {
      operationId: 'listIncomingTransfers',
      tags,
      summary: 'List incoming transfers',
      querystring: schema.IncomingQuery,
      response: { 200: schema.TransferList },
    },
    handler: async (request) =>
      transfers.listIncoming(callerOf(request).user_id, request.query.accepted),
  })

  app.route({
    method: 'DELETE',
    url: '/transfers/:transfer_id',
    config: { access: 'emoji::transfer', more_scopes: ['adminEmoji:transfer'] },
    schema: {
      operationId: 'deleteTransfer',
      tags,
      summary: 'Mark a transfer deleted',
      description:
        'An open one is over; of one that was accepted the id stays where it is. Operators need a fresh second factor for those of others.',
      params: schema.TransferParams,
      querystring: MaybeWhy,
      response: { 200: schema.TransferView },
    },
    handler: async (request) =>
      transfers.deleteTransfer(callerOf(request), request.params.transfer_id, request.query),
  })
}
