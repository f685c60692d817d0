import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { asProblem } from '../../api/problem.ts'
import { cacheCart, cartQuery, type Order, orderQuery } from '../../api/shop.ts'
import { useAction } from '../../design/use-action.ts'
import { addCode, checkOut, convertToDraft, payOrder, removeCode, removeItem } from './queries.ts'

/** Caches the cart of the response, also of an error, then continues. */
function useCartChange<Input = void>(
  change: (input: Input) => Promise<Order>,
  goOn: (order: Order) => unknown = () => {},
) {
  const queries = useQueryClient()
  return useAction({
    mutationFn: change,
    onSuccess: async (order) => {
      if (order.status === 'Paid') {
        queries.setQueryData(orderQuery(order.id).queryKey, order)
        await queries.invalidateQueries(cartQuery)
      } else await cacheCart(order)
      await goOn(order)
    },
    onError: () => queries.invalidateQueries(cartQuery),
  })
}

/** Holds the ids of the cart and loads the saved cards. */
export function useHold() {
  const navigate = useNavigate()
  return useCartChange(
    (order_id: string) =>
      checkOut('CardCheckout', order_id).catch((error) => {
        if (asProblem(error).code === 'unavailable_method')
          return checkOut('CryptoCommerce', order_id)
        throw error
      }),
    () => navigate({ to: '/checkout' }),
  )
}

/** Completes an order with nothing left to pay. */
export function useFree() {
  const navigate = useNavigate()
  return useCartChange(
    (order_id: string) => payOrder('Free', order_id),
    ({ id }) => navigate({ to: '/orders/$id', params: { id } }),
  )
}

/** Redirects to the provider's page. */
export const usePayByCard = () =>
  useCartChange(
    (order_id: string) => payOrder('CardCheckout', order_id),
    ({ payment_method_data }) => {
      const page = payment_method_data?.checkout_url
      if (page) window.location.assign(page)
    },
  )

type SavedCardPayment = { order_id: string; payment_method_id: string }

/** Charges a saved card. The bank may require a confirmation on its own page. */
export function usePayBySavedCard() {
  const navigate = useNavigate()
  return useCartChange(
    ({ order_id, payment_method_id }: SavedCardPayment) =>
      payOrder('CardCheckout', order_id, { payment_method_id }),
    ({ id, status, payment_method_data }) => {
      const page = status === 'Paid' ? undefined : payment_method_data?.checkout_url
      return page ? window.location.assign(page) : navigate({ to: '/orders/$id', params: { id } })
    },
  )
}

export const useRemoveCode = () => useCartChange(removeCode)

export const usePayByCrypto = () =>
  useCartChange((order_id: string) => payOrder('CryptoCommerce', order_id))

export const useCode = () => useCartChange(addCode)

export function useReleaseHold() {
  const navigate = useNavigate()
  return useCartChange(
    async () => {
      const draft = await convertToDraft()
      heldOrder.forget()
      return draft
    },
    () => navigate({ to: '/cart' }),
  )
}

export const useRemove = (onRemoved: () => void) => useCartChange(removeItem, onRemoved)

const storage = 'held-order'

let orderId = read()

function read(): string | null {
  try {
    return window.sessionStorage.getItem(storage)
  } catch {
    return null
  }
}

/** The id of the held order, so that a reloaded page can report that the hold lapsed. */
export const heldOrder = {
  is: (id: string): boolean => orderId === id,
  keep(id: string): void {
    orderId = id
    try {
      window.sessionStorage.setItem(storage, id)
    } catch {
      // Without storage, it lasts as long as the page.
    }
  },
  /** The buyer released the hold; it did not lapse. */
  forget(): void {
    heldOrder.keep('')
  },
}
