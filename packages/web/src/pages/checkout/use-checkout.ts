import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { addresses } from '../../api/addresses.ts'
import { api, told } from '../../api/client.ts'
import { asProblem } from '../../api/problem.ts'
import { cartQuery, keepCart, type Order, orderQuery } from '../../api/shop.ts'
import { useAction } from '../../design/use-action.ts'
import { heldOrder } from './held-order.ts'

type Method = 'CardCheckout' | 'CryptoCommerce' | 'Free'

/** The provider's page leads back to ours. */
const ask = (method: Method, order_id: string, more: { payment_method_id?: string } = {}) =>
  told(
    api.POST('/cart/checkout/{id}', {
      params: { path: { id: order_id } },
      body: {
        method,
        ...more,
        ...(method === 'CardCheckout'
          ? {
              success_url: `${addresses.web}/orders/${order_id}`,
              cancel_url: `${addresses.web}/checkout`,
            }
          : {}),
      },
    }),
  )

/** Takes the cart as the service answers it, also when something was refused, and then goes on. */
function useCartChange<Wanted = void>(
  change: (wanted: Wanted) => Promise<Order>,
  goOn: (order: Order) => unknown = () => {},
) {
  const queries = useQueryClient()
  return useAction({
    mutationFn: change,
    onSuccess: async (order) => {
      if (order.status === 'Paid') {
        queries.setQueryData(orderQuery(order.id).queryKey, order)
        await queries.invalidateQueries(cartQuery)
      } else await keepCart(order)
      await goOn(order)
    },
    onError: () => queries.invalidateQueries(cartQuery),
  })
}

/** Holds the ids of the cart. How to pay is chosen afterwards; cards are asked for first. */
export function useHold() {
  const navigate = useNavigate()
  return useCartChange(
    (order_id: string) =>
      ask('CardCheckout', order_id).catch((thrown) => {
        if (asProblem(thrown).code === 'unavailable_method') return ask('CryptoCommerce', order_id)
        throw thrown
      }),
    () => navigate({ to: '/checkout' }),
  )
}

/** Gets everything for nothing. */
export function useFree() {
  const navigate = useNavigate()
  return useCartChange(
    (order_id: string) => ask('Free', order_id),
    ({ id }) => navigate({ to: '/orders/$id', params: { id } }),
  )
}

/** Goes to the provider's page. */
export const usePayByCard = () =>
  useCartChange(
    (order_id: string) => ask('CardCheckout', order_id),
    ({ payment_method_data }) => {
      const page = payment_method_data?.checkout_url
      if (page) window.location.assign(page)
    },
  )

type SavedCardPayment = { order_id: string; payment_method_id: string }

/** Charges a saved card. The bank may ask first, on a page of its own. */
export function usePayBySavedCard() {
  const navigate = useNavigate()
  return useCartChange(
    ({ order_id, payment_method_id }: SavedCardPayment) =>
      ask('CardCheckout', order_id, { payment_method_id }),
    ({ id, status, payment_method_data }) => {
      const page = status === 'Paid' ? undefined : payment_method_data?.checkout_url
      return page ? window.location.assign(page) : navigate({ to: '/orders/$id', params: { id } })
    },
  )
}

export const useRemoveCode = () =>
  useCartChange((code_id: string) =>
    told(api.DELETE('/cart/promo_code/{code_id}', { params: { path: { code_id } } })),
  )

export const usePayByCrypto = () =>
  useCartChange((order_id: string) => ask('CryptoCommerce', order_id))

export const useCode = () =>
  useCartChange((code: string) => told(api.POST('/cart/promo_code', { body: { code } })))

export function useGiveUp() {
  const navigate = useNavigate()
  return useCartChange(
    async () => {
      const draft = await told(api.POST('/cart/convert_to_draft')).catch((thrown) => {
        // The hold ended by itself in this moment.
        if (asProblem(thrown).code === 'not_pending') return told(api.GET('/cart'))
        throw thrown
      })
      heldOrder.forget()
      return draft
    },
    () => navigate({ to: '/cart' }),
  )
}

export const useRemove = (onRemoved: () => void) =>
  useCartChange(
    (cart_item_id: string) =>
      told(api.DELETE('/cart/cart_items/{cart_item_id}', { params: { path: { cart_item_id } } })),
    onRemoved,
  )
