import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../../api/client.ts'

/** The refunds of an order. */
export const refundsQuery = (id: string) =>
  queryOptions({
    queryKey: ['orders', id, 'refunds'],
    queryFn: () => unwrap(api.GET('/orders/{id}/refunds', { params: { path: { id } } })),
    staleTime: 0,
  })

/** The same with the claim links, for which the service asks for a fresh proof. */
export const loadClaims = (id: string) =>
  unwrap(api.GET('/orders/{id}/refunds', { params: { path: { id }, query: { claims: true } } }))

export const requestRefund = (id: string, reason: string) =>
  unwrap(api.POST('/orders/{id}/refund_request', { params: { path: { id } }, body: { reason } }))

export const resendReceipt = (id: string) =>
  unwrap(api.POST('/orders/{id}/resend_confirmation', { params: { path: { id } } }))
