import { textLengths } from '@emojid/core'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import { groupRoutes, ReasonText, UuidParams } from '../../../platform/http/api/schemas.ts'
import { callerOf } from '../../operations/access/access.ts'
import { RefundPage, RefundQuery, RefundView } from '../ledger/ledger.ts'
import { DisplayOrder, OrderParams } from '../orders/orders.ts'
import type { Refunds } from './refunds.ts'

/** A misspelled member must not be dropped: without `item_ids` everything would be refunded. */
const strict = { additionalProperties: false }

export const Refund = Type.Object(
  {
    reason: ReasonText,
    item_ids: Type.Optional(
      Type.Array(Type.String({ format: 'uuid' }), {
        minItems: 1,
        maxItems: 100,
        description: 'Default: every id of the order',
      }),
    ),
    override: Type.Optional(
      Type.Boolean({
        description:
          'Needs order:refundOverride: also refunds after 14 days, and ids that were transferred',
      }),
    ),
  },
  strict,
)
export type Refund = Static<typeof Refund>

export const MiscRefund = Type.Object(
  {
    amount_in_cents: Type.Integer({ minimum: 1, maximum: 1_000_000_000 }),
    reason: ReasonText,
  },
  strict,
)
export type MiscRefund = Static<typeof MiscRefund>

const Override = Type.Object({ reason: ReasonText }, strict)
const Given = Type.Object(
  {
    reference: Type.String({
      pattern: '\\S',
      ...textLengths.payoutReference,
      description: 'Reference of the payment: a receipt, a transaction or a bank statement',
    }),
  },
  strict,
)
const RefundListQuery = Type.Object({
  claims: Type.Optional(
    Type.Boolean({
      description: 'The buyer requires the claim links: refused without a fresh proof',
    }),
  ),
})
const RefundList = Type.Array(RefundView)
const Decline = Type.Object({ reason: ReasonText }, strict)
const RefundRequest = Type.Object({
  reason: Type.String({ pattern: '\\S', ...textLengths.refundReason }),
})

type Options = { refunds: Refunds }

export const refundRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { refunds }) => {
  groupRoutes(app, 'Operators')
  const response = { 200: DisplayOrder }

  app.get('/orders/:id/refunds', {
    config: { access: ['order:readSelf', 'refund:read'] },
    schema: {
      operationId: 'listRefunds',
      tags: ['Orders'],
      summary: 'List the refunds of an order with their claim links',
      description:
        'A claim link moves the money. So the buyer sees it only within 15 minutes of a sign-in, or with a fresh code of the second factor; with `claims=true` the operation asks for that (403 `old_login`, 424) instead of leaving `claim_url` null. For 72 hours after a change of the email address it stays null (`claim_from`).',
      params: OrderParams,
      querystring: RefundListQuery,
      response: { 200: RefundList },
    },
    handler: async (request) =>
      refunds.listRefunds(callerOf(request), request.params.id, request.query),
  })

  app.get('/refunds', {
    config: {
      access: 'refund:read',
      csv: [
        'id',
        'order_id',
        'kind',
        'status',
        'amount_in_cents',
        'by_bank_in_cents',
        'reason',
        'created_at',
        'done_at',
        'paid_out_at',
      ],
    },
    schema: {
      operationId: 'findRefunds',
      summary: 'List the refunds of all orders',
      querystring: RefundQuery,
      response: { 200: RefundPage },
    },
    handler: async (request) => refunds.listAllRefunds(request.query),
  })

  app.post('/refunds/:id/given', {
    config: { access: 'order:refund', sensitive: 'code_or_nothing', idempotent: true },
    schema: {
      operationId: 'noteRefundGiven',
      summary: 'Record that an operator paid a refund',
      params: UuidParams,
      body: Given,
      response: { 200: RefundView },
    },
    handler: async (request) =>
      refunds.recordPayout(callerOf(request), request.params.id, request.body.reference),
  })

  app.post('/orders/:id/refund_request', {
    config: { access: 'order:readSelf', sensitive: 'code_or_sign_in', idempotent: true },
    schema: {
      operationId: 'requestRefund',
      tags: ['Orders'],
      summary: 'Request a refund',
      description:
        'The buyer gets an email about it. The request ends when the access to the account is revoked, as by a password reset.',
      params: OrderParams,
      body: RefundRequest,
      response,
    },
    handler: async (request) =>
      refunds.requestRefund(callerOf(request), request.params.id, request.body.reason),
  })

  app.post('/orders/:id/refund_request/decline', {
    config: { access: 'order:refund', sensitive: 'code_or_nothing', idempotent: true },
    schema: {
      operationId: 'declineRefund',
      summary: 'Decline a refund request',
      description:
        'The buyer gets the reason by email, sees it at the order, and may request again.',
      params: OrderParams,
      body: Decline,
      response,
    },
    handler: async (request) =>
      refunds.declineRequest(callerOf(request), request.params.id, request.body.reason),
  })

  app.post('/orders/:id/refund', {
    config: {
      access: 'order:refund',
      more_scopes: ['order:refundOverride'],
      sensitive: 'code_or_nothing',
      idempotent: true,
    },
    schema: {
      operationId: 'refundOrder',
      summary: 'Refund ids and revoke them',
      params: OrderParams,
      body: Refund,
      response,
    },
    handler: async (request) =>
      refunds.refundOrder(callerOf(request), request.params.id, request.body),
  })

  app.post('/orders/:id/misc_refund', {
    config: { access: 'order:refund', sensitive: 'code_or_nothing', idempotent: true },
    schema: {
      operationId: 'miscRefund',
      summary: 'Refund an amount; the ids stay with the buyer',
      params: OrderParams,
      body: MiscRefund,
      response,
    },
    handler: async (request) =>
      refunds.refundMisc(callerOf(request), request.params.id, request.body),
  })

  app.post('/orders/:id/payment_override', {
    config: { access: 'order:paymentOverride', sensitive: 'code_or_nothing', idempotent: true },
    schema: {
      operationId: 'overridePayment',
      summary: 'Mark an order as paid',
      params: OrderParams,
      body: Override,
      response,
    },
    handler: async (request) =>
      refunds.overridePayment(callerOf(request), request.params.id, request.body.reason),
  })
}
