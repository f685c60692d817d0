import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { addresses } from '../../api/addresses.ts'
import { api, told } from '../../api/client.ts'
import { asProblem } from '../../api/problem.ts'
import { cartQuery, type Order, orderQuery } from '../../api/shop.ts'

type Method = 'CardCheckout' | 'CryptoCommerce' | 'Free'

/** The provider's page leads back to ours. */
const ask = (method: Method, order_id: string) =>
  told(
    api.POST('/cart/checkout/{id}', {
      params: { path: { id: order_id } },
      body: {
        method,
        ...(method === 'CardCheckout'
          ? {
              success_url: `${addresses.web}/orders/${order_id}`,
              cancel_url: `${addresses.web}/checkout`,
            }
          : {}),
      },
    }),
  )

/** Takes the cart as the service answers it, also when something was refused. */
function useCartChange<Wanted>(change: (wanted: Wanted) => Promise<Order>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: (order) => {
      if (order.status !== 'Paid') return queries.setQueryData(cartQuery.queryKey, order)
      queries.setQueryData(orderQuery(order.id).queryKey, order)
      return queries.invalidateQueries(cartQuery)
    },
    onError: () => queries.invalidateQueries(cartQuery),
  })
}

/** Holds the ids of the cart. How to pay is chosen afterwards; cards are asked for first. */
export function useHold() {
  const navigate = useNavigate()
  const hold = useCartChange((order_id: string) =>
    ask('CardCheckout', order_id).catch((thrown) => {
      if (asProblem(thrown).code === 'method_unavailable') return ask('CryptoCommerce', order_id)
      throw thrown
    }),
  )
  return {
    ...hold,
    begin: (order_id: string) =>
      hold.mutate(order_id, { onSuccess: () => navigate({ to: '/checkout' }) }),
  }
}

/** Gets everything for nothing. */
export function useFree() {
  const navigate = useNavigate()
  const free = useCartChange((order_id: string) => ask('Free', order_id))
  return {
    ...free,
    begin: (order_id: string) =>
      free.mutate(order_id, {
        onSuccess: () => navigate({ to: '/orders/$id', params: { id: order_id } }),
      }),
  }
}

/** Goes to the provider's page. */
export function usePayByCard() {
  const card = useCartChange((order_id: string) => ask('CardCheckout', order_id))
  return {
    ...card,
    begin: (order_id: string) =>
      card.mutate(order_id, {
        onSuccess: ({ payment_method_data }) => {
          const page = payment_method_data?.checkout_url
          if (page) window.location.assign(page)
        },
      }),
  }
}

export const usePayByCrypto = () =>
  useCartChange((order_id: string) => ask('CryptoCommerce', order_id))

export const useCode = () =>
  useCartChange((code: string) => told(api.POST('/cart/promo_code', { body: { code } })))

export const useGiveUp = () => useCartChange(() => told(api.POST('/cart/convert_to_draft')))

export const useRemove = () =>
  useCartChange((cart_item_id: string) =>
    told(api.DELETE('/cart/cart_items/{cart_item_id}', { params: { path: { cart_item_id } } })),
  )
