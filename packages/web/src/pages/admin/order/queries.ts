import { queryOptions } from '@tanstack/react-query'
import { api, told } from '../../../api/client.ts'
import type { AnswerOf } from '../../../api/shapes.ts'
import { once } from '../../../api/wish-keys.ts'

export type Books = AnswerOf<'getOrderBooks'>

export const adminOrderQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin-orders', id],
    queryFn: async () => {
      const params = { path: { id } }
      const [order, books, refunds] = await Promise.all([
        told(api.GET('/orders/{id}', { params })),
        told(api.GET('/admin/orders/{id}/books', { params })),
        told(api.GET('/orders/{id}/refunds', { params })),
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
      told(api.POST('/orders/{id}/refund', { params, body, ...once(key) })),
    refundMisc: (key: string, body: { reason: string; amount_in_cents: number }) =>
      told(api.POST('/orders/{id}/misc_refund', { params, body, ...once(key) })),
    decline: (key: string, reason: string) =>
      told(
        api.POST('/orders/{id}/refund_request/decline', {
          params,
          body: { reason },
          ...once(key),
        }),
      ),
    takeCash: (key: string, amount: number, external_reference: string) =>
      told(
        api.POST('/cart/checkout/{id}', {
          params,
          body: { method: 'Cash', amount, external_reference },
          ...once(key),
        }),
      ),
    takeAsPaid: (key: string, reason: string) =>
      told(api.POST('/orders/{id}/payment_override', { params, body: { reason }, ...once(key) })),
    resend: (key: string) =>
      told(api.POST('/orders/{id}/resend_confirmation', { params, ...once(key) })),
  }
}
