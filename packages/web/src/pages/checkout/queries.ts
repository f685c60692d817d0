import { addresses } from '../../api/addresses.ts'
import { api, unwrap } from '../../api/client.ts'
import { asProblem } from '../../api/problem.ts'
import { sessionDraft } from '../../api/session-draft.ts'
import type { Order } from '../../api/shop.ts'

type Method = 'CardCheckout' | 'CryptoCommerce' | 'Free'

/** The provider's page redirects back to ours. */
export const checkOut = (
  method: Method,
  order_id: string,
  more: { payment_method_id?: string; pubkey?: string } = {},
) =>
  unwrap(
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

export const ownerKeyDraft = 'owner key'

/** Pays for the held order; its ids will belong to the chosen key. */
export function payOrder(
  method: Method,
  order_id: string,
  more: { payment_method_id?: string } = {},
) {
  const pubkey = sessionDraft.read<string>(ownerKeyDraft)
  return checkOut(method, order_id, { ...more, ...(pubkey ? { pubkey } : {}) })
}

export const addCode = (code: string) => unwrap(api.POST('/cart/promo_code', { body: { code } }))

export const removeCode = (code_id: string) =>
  unwrap(api.DELETE('/cart/promo_code/{code_id}', { params: { path: { code_id } } }))

export const removeItem = (cart_item_id: string) =>
  unwrap(api.DELETE('/cart/cart_items/{cart_item_id}', { params: { path: { cart_item_id } } }))

/** Turns a held order into a cart again; returns the cart if the hold just lapsed. */
export async function convertToDraft(): Promise<Order> {
  try {
    return await unwrap(api.POST('/cart/convert_to_draft'))
  } catch (error) {
    if (asProblem(error).code === 'not_pending') return unwrap(api.GET('/cart'))
    throw error
  }
}
