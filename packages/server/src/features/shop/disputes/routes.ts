import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../operations/access/index.ts'
import { DisputeQuery } from '../ledger/index.ts'
import type { Disputes } from './disputes.ts'
import { Decision, DisputeFacts, DisputePage, DisputeParams } from './schema.ts'

type Options = { disputes: Disputes }

export const disputeRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { disputes }) => {
  const tags = ['Operators']
  const response = { 200: DisputeFacts }

  app.route({
    method: 'GET',
    url: '/disputes',
    config: { access: 'refund:read' },
    schema: {
      operationId: 'findDisputes',
      tags,
      summary: 'Payments that buyers dispute',
      querystring: DisputeQuery,
      response: { 200: DisputePage },
    },
    handler: async (request) => disputes.listDisputes(request.query),
  })

  app.route({
    method: 'GET',
    url: '/disputes/:id',
    config: { access: 'refund:read' },
    schema: {
      operationId: 'getDispute',
      tags,
      summary: 'A dispute, and where everything is that was bought with the payment',
      params: DisputeParams,
      response,
    },
    handler: async (request) => disputes.showDispute(request.params.id),
  })

  app.route({
    method: 'POST',
    url: '/disputes/:id/take_back',
    config: { access: 'order:refund', sensitive: true, idempotent: true },
    schema: {
      operationId: 'takeBackDisputed',
      tags,
      summary: 'Take back what a lost dispute left unpaid, whoever has it',
      description: 'Whoever has it is told the reason. It rests for a day before it is sold again.',
      params: DisputeParams,
      body: Decision,
      response,
    },
    handler: async (request) =>
      disputes.takeBackIds(callerOf(request), request.params.id, request.body),
  })

  app.route({
    method: 'POST',
    url: '/disputes/:id/leave',
    config: { access: 'order:refund', sensitive: true, idempotent: true },
    schema: {
      operationId: 'leaveDisputed',
      tags,
      summary: 'Leave what is disputed to whoever has it; its freeze ends',
      params: DisputeParams,
      body: Decision,
      response,
    },
    handler: async (request) =>
      disputes.leaveIds(callerOf(request), request.params.id, request.body),
  })
}
