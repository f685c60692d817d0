import { refusal, refusalIn } from '../../../platform/errors.ts'
import { notPending, type OrderItem, priceOfItem, totalOf } from '../orders/orders.ts'

/** Whether an item, or the order with its discounts, costs more than before. */
export const isDearer = (before: readonly OrderItem[], after: readonly OrderItem[]): boolean =>
  totalOf(after) > totalOf(before) ||
  after.some((item) => {
    const earlierItem = before.find(({ id }) => id === item.id)
    return earlierItem !== undefined && priceOfItem(item) > priceOfItem(earlierItem)
  })

export const onlyPending = () =>
  notPending('Promo codes apply to carts in checkout. Check out first.')

export const unknownCode = () =>
  refusal('not_found', 'unapplied_code', 'This code is not on your order.')

export const nothingFits = () =>
  refusal('refused', 'nothing_left', 'No id that fits this code is available right now.')

export const heldDraw = () =>
  refusal(
    'refused',
    'held_draw',
    'The id that this code gives you is in a checkout. Finish or cancel yours, or try again in a few minutes.',
  )

export const nothingToTakeOff = () =>
  refusalIn(
    'code',
    'refused',
    'nothing_to_take_off',
    'Nothing is left that this code could discount.',
  )
