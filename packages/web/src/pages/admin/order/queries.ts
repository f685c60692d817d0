import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../../../api/client.ts'
import { idempotencyHeader } from '../../../api/idempotency-keys.ts'
import type { AnswerOf } from '../../../api/shapes.ts'

export type Books = AnswerOf<'getOrderBooks'>

export const adminOrderQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin-orders', id],
    queryFn: async () => {
      const params = { path: { id } }
      const [order, books, refunds] = await Promise.all([
        unwrap(api.GET('/orders/{id}', { params })),
        unwrap(api.GET('/admin/orders/{id}/books', { params })),
        unwrap(api.GET('/orders/{id}/refunds', { params })),
      ])
      return { order, books, refunds }
    },
    staleTime: 0,
  })

/** The money actions of operators on one order. */
export const orderActions = (id: string) => {
  const params = { path: { id } }
  return {
    refund: (key: string, body: { reason: string; item_ids: string[]; override?: boolean }) =>
      unwrap(api.POST('/orders/{id}/refund', { params, body, ...idempotencyHeader(key) })),
    refundMisc: (key: string, body: { reason: string; amount_in_cents: number }) =>
      unwrap(api.POST('/orders/{id}/misc_refund', { params, body, ...idempotencyHeader(key) })),
    decline: (key: string, reason: string) =>
      unwrap(
        api.POST('/orders/{id}/refund_request/decline', {
          params,
          body: { reason },
          ...idempotencyHeader(key),
        }),
      ),
    takeCash: (key: string, amount: number, external_reference: string) =>
      unwrap(
        api.POST('/cart/checkout/{id}', {
          params,
          body: { method: 'Cash', amount, external_reference },
          ...idempotencyHeader(key),
        }),
      ),
    takeAsPaid: (key: string, reason: string) =>
      unwrap(
        api.POST('/orders/{id}/payment_override', {
          params,
          body: { reason },
          ...idempotencyHeader(key),
        }),
      ),
    resend: (key: string) =>
      unwrap(api.POST('/orders/{id}/resend_confirmation', { params, ...idempotencyHeader(key) })),
  }
}
