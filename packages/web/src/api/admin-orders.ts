import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { operations } from '../generated/api.ts'
import { accountQuery, isAdmin } from './account.ts'
import { api, told } from './client.ts'
import { given } from './given.ts'
import { Problem } from './problem.ts'
import { queries } from './queries.ts'
import { wholeOrders } from './shop.ts'

export const orderStates = ['Draft', 'PendingPayment', 'Paid', 'Cancelled'] as const
export const requestStates = ['open', 'handled'] as const
export const refundStates = ['queued', 'by_hand', 'done'] as const

type Body<Operation extends keyof operations> = operations[Operation] extends {
  responses: { 200: { content: { 'application/json': infer Answer } } }
}
  ? Answer
  : never
export type AdminOrder = Body<'getOrder'>
export type Books = Body<'getOrderBooks'>
export type RefundView = Body<'listRefunds'>[number]

type Question = {
  page: number
  limit?: number
  q?: string | undefined
  status?: (typeof orderStates)[number] | undefined
  refund_request?: (typeof requestStates)[number] | undefined
  from?: string | undefined
  to?: string | undefined
  user_id?: string | undefined
}

export const orderPageQuery = (question: Question) =>
  queryOptions({
    queryKey: ['admin-orders', 'page', question],
    queryFn: async () => {
      // Everybody has an empty cart; who looks for carts sees those, too.
      const filled = question.status === undefined ? { filled: true } : {}
      const query = { limit: 50, ...filled, ...given(question) }
      const [page, account] = await Promise.all([
        told(api.GET('/orders', { params: { query } })),
        queries.fetchQuery({ ...accountQuery, staleTime: 0 }),
      ])
      // Whoever is no operator any more is answered too: with their own orders.
      if (!isAdmin(account)) throw new Problem(403, {})
      return wholeOrders(page)
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

type RefundQuestion = { page: number; status: (typeof refundStates)[number] | undefined }

export const refundPageQuery = (question: RefundQuestion) =>
  queryOptions({
    queryKey: ['admin-orders', 'refunds', question],
    queryFn: () =>
      told(
        api.GET('/refunds', { params: { query: { limit: 50, dir: 'Desc', ...given(question) } } }),
      ),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

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

/** A request that is repeated with the same key is carried out once. */
const once = (key: string) => ({ headers: { 'Idempotency-Key': key } })

/** What operators do about the money of one order. */
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

export const noteRefundGiven = (id: string, key: string, reference: string) =>
  told(
    api.POST('/refunds/{id}/given', {
      params: { path: { id } },
      body: { reference },
      ...once(key),
    }),
  )
