import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../../api/client.ts'

/** The refunds of an order. */
export const refundsQuery = (id: string) =>
  queryOptions({
    queryKey: ['orders', id, 'refunds'],
    queryFn: () => unwrap(api.GET('/orders/{id}/refunds', { params: { path: { id } } })),
    staleTime: 0,
  })

export const requestRefund = (id: string, reason: string) =>
  unwrap(api.POST('/orders/{id}/refund_request', { params: { path: { id } }, body: { reason } }))

export const resendReceipt = (id: string) =>
  unwrap(api.POST('/orders/{id}/resend_confirmation', { params: { path: { id } } }))
