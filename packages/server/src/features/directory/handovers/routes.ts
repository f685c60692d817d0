import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Nothing } from '../../../platform/http/schemas.ts'
import { callerOf } from '../../operations/access/index.ts'
import { TransferParams, TransferView } from '../transfers/index.ts'
import type { Handovers } from './handovers.ts'
import { Acceptance, MovedIds, NewTransfer } from './schema.ts'

type Options = { handovers: Handovers }

export const handoverRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { handovers }) => {
  const tags = ['Transfers']
  const params = TransferParams
  const access = 'emoji::transfer'

  app.route({
    method: 'POST',
    url: '/transfers',
    config: {
      access,
      more_scopes: ['adminEmoji:transfer'],
      sensitive: true,
      idempotent: true,
      rateLimit: { max: 600, timeWindow: 60_000 },
    },
    schema: {
      operationId: 'requestTransfer',
      tags,
      summary: 'Offer an id to another user',
      description:
        'A code is mailed to the sender, then one to the receiver. An unknown e-mail address is invited.',
      body: NewTransfer,
      response: { 200: TransferView },
    },
    handler: async (request) => handovers.requestTransfer(callerOf(request), request.body),
  })

  app.route({
    method: 'POST',
    url: '/transfers/:transfer_id/sender_accept',
    config: { access, sensitive: true, idempotent: true },
    schema: {
      operationId: 'senderAcceptTransfer',
      tags,
      summary: 'Confirm as sender',
      params,
      body: Acceptance,
      response: { 200: TransferView },
    },
    handler: async (request) =>
      handovers.confirmTransfer(callerOf(request), request.params.transfer_id, request.body.code),
  })

  app.route({
    method: 'POST',
    url: '/transfers/:transfer_id/receiver_accept',
    config: { access, sensitive: true, idempotent: true },
    schema: {
      operationId: 'receiverAcceptTransfer',
      tags,
      summary: 'Accept as receiver',
      params,
      body: Acceptance,
      response: { 200: MovedIds },
    },
    handler: async (request) =>
      handovers.acceptTransfer(callerOf(request), request.params.transfer_id, request.body.code),
  })

  app.route({
    method: 'POST',
    url: '/transfers/:transfer_id/resend_code',
    config: { access, idempotent: true },
    schema: {
      operationId: 'resendTransferCode',
      tags,
      summary: 'Send a new one-time code',
      description: 'To whoever has to confirm next. The code before it is void.',
      params,
      response: { 200: Nothing },
    },
    handler: async (request) => {
      await handovers.resendCode(callerOf(request), request.params.transfer_id)
      return {}
    },
  })
}
