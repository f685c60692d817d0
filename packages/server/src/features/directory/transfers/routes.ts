import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { groupRoutes, Nothing, OptionalReasonBody } from '../../../platform/http/api/schemas.ts'
import { callerOf } from '../../operations/access/access.ts'
import * as schema from './schema.ts'
import type { Transfers } from './transfers.ts'

type Options = { transfers: Transfers }

export const transferRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { transfers }) => {
  groupRoutes(app, 'Transfers')

  app.get('/transfers', {
    config: {
      access: 'emoji::transfer',
      more_scopes: ['adminEmoji:transfer'],
      csv: ['id', 'eid', 'email', 'recipient_id', 'created_at', 'accepted_at', 'deleted_at'],
    },
    schema: {
      operationId: 'listTransfers',
      summary: 'List outgoing transfers',
      querystring: schema.OutgoingQuery,
      response: { 200: schema.TransferPage },
    },
    handler: async (request) => transfers.listOutgoing(callerOf(request), request.query),
  })

  app.get('/transfers/incoming', {
    config: { access: 'emoji::transfer' },
    schema: {
      operationId: 'listIncomingTransfers',
      summary: 'List incoming transfers',
      description: 'Power roles of an organization also see the transfers to its keys.',
      querystring: schema.IncomingQuery,
      response: { 200: schema.TransferList },
    },
    handler: async (request) => transfers.listIncomingOf(callerOf(request), request.query.accepted),
  })

  app.post('/transfers/incoming/confirm_email', {
    config: { access: 'emoji::transfer', per_minute: 30 },
    schema: {
      operationId: 'confirmEmailByOffer',
      summary: 'Confirm the email address with the code of an offer',
      description:
        'An account with an unconfirmed address does not see offers to it. The emailed code of one confirms the address and returns the offer. receiver_accept with the code confirms the address too.',
      body: schema.Acceptance,
      response: { 200: schema.TransferView },
    },
    handler: async (request) => transfers.confirmByOffer(callerOf(request), request.body.code),
  })

  app.delete('/transfers/:transfer_id', {
    config: { access: 'emoji::transfer', more_scopes: ['adminEmoji:transfer'] },
    schema: {
      operationId: 'deleteTransfer',
      summary: 'Mark a transfer deleted',
      description:
        'Closes an open transfer; its recipient declines it this way. An accepted one is only marked: the id stays with its new owner. Operators need a fresh second factor for transfers of other users.',
      params: schema.TransferParams,
      querystring: OptionalReasonBody,
      response: { 200: schema.TransferView },
    },
    handler: async (request) =>
      transfers.deleteTransfer(callerOf(request), request.params.transfer_id, request.query),
  })

  app.post('/transfers', {
    config: {
      access: 'emoji::transfer',
      more_scopes: ['adminEmoji:transfer'],
      sensitive: 'code_or_nothing',
      idempotent: true,
      per_minute: 600,
    },
    schema: {
      operationId: 'requestTransfer',
      summary: 'Offer an id to another user',
      description:
        'A code is emailed to the sender, then one to the recipient, or to the power roles of the organization that has the key. An unknown email address gets an account.',
      body: schema.NewTransfer,
      response: { 200: schema.TransferView },
    },
    handler: async (request) => transfers.requestTransfer(callerOf(request), request.body),
  })

  app.post('/transfers/:transfer_id/sender_accept', {
    config: { access: 'emoji::transfer', sensitive: 'code_or_nothing', idempotent: true },
    schema: {
      operationId: 'senderAcceptTransfer',
      summary: 'Confirm as sender',
      params: schema.TransferParams,
      body: schema.Acceptance,
      response: { 200: schema.TransferView },
    },
    handler: async (request) =>
      transfers.confirmTransfer(callerOf(request), request.params.transfer_id, request.body.code),
  })

  app.post('/transfers/:transfer_id/receiver_accept', {
    // All hashes that it may list, each with quotes and a comma.
    bodyLimit: 96 * 1024,
    config: { access: 'emoji::transfer', sensitive: 'code_or_nothing', idempotent: true },
    schema: {
      operationId: 'receiverAcceptTransfer',
      summary: 'Accept as recipient',
      params: schema.TransferParams,
      body: schema.ReceiverAcceptance,
      response: { 200: schema.MovedIds },
    },
    handler: async (request) =>
      transfers.acceptTransfer(callerOf(request), request.params.transfer_id, request.body),
  })

  app.post('/transfers/:transfer_id/resend_code', {
    config: { access: 'emoji::transfer', idempotent: true },
    schema: {
      operationId: 'resendTransferCode',
      summary: 'Send a new one-time code',
      description: 'To the side that confirms next. Invalidates the previous code.',
      params: schema.TransferParams,
      response: { 200: Nothing },
    },
    handler: async (request) => {
      await transfers.resendCode(callerOf(request), request.params.transfer_id)
      return {}
    },
  })
}
