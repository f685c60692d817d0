import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { groupRoutes } from '../../../platform/http/api/schemas.ts'
import { callerOf } from '../../operations/access/access.ts'
import { DisputeQuery } from '../ledger/ledger.ts'
import type { Disputes } from './disputes.ts'
import { Decision, DisputeFacts, DisputePage, DisputeParams } from './schema.ts'

type Options = { disputes: Disputes }

export const disputeRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { disputes }) => {
  groupRoutes(app, 'Operators')
  const response = { 200: DisputeFacts }

  app.get('/disputes', {
    config: {
      access: 'refund:read',
      csv: [
        'id',
        'reference',
        'order_number',
        'user.email',
        'amount_in_cents',
        'reason',
        'status',
        'awaits_decision',
        'decision',
        'opened_at',
        'answer_until',
        'closed_at',
      ],
    },
    schema: {
      operationId: 'findDisputes',
      summary: 'List disputed payments',
      querystring: DisputeQuery,
      response: { 200: DisputePage },
    },
    handler: async (request) => disputes.listDisputes(request.query),
  })

  app.get('/disputes/:id', {
    config: { access: 'refund:read' },
    schema: {
      operationId: 'getDispute',
      summary: 'Show a dispute with the owners of its ids',
      params: DisputeParams,
      response,
    },
    handler: async (request) => disputes.showDispute(request.params.id),
  })

  app.post('/disputes/:id/take_back', {
    config: { access: 'order:refund', sensitive: 'code_or_nothing', idempotent: true },
    schema: {
      operationId: 'takeBackDisputed',
      summary: 'Revoke ids of a lost dispute from their current owners',
      description:
        'The owners get the reason by email. The ids rest for a day before they can be bought again.',
      params: DisputeParams,
      body: Decision,
      response,
    },
    handler: async (request) =>
      disputes.takeBackIds(callerOf(request), request.params.id, request.body),
  })

  app.post('/disputes/:id/leave', {
    config: { access: 'order:refund', sensitive: 'code_or_nothing', idempotent: true },
    schema: {
      operationId: 'leaveDisputed',
      summary: 'Leave disputed ids to their current owners and end the freeze',
      params: DisputeParams,
      body: Decision,
      response,
    },
    handler: async (request) =>
      disputes.leaveIds(callerOf(request), request.params.id, request.body),
  })
}
