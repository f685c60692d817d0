import { inField, ServiceError } from '../../platform/errors.ts'
import { type OrderItem, priceOfItem, totalOf } from '../orders/index.ts'

/** Whether anything of an order costs more than before, or all of it with what codes take off. */
export const isDearer = (before: readonly OrderItem[], after: readonly OrderItem[]): boolean =>
  totalOf(after) > totalOf(before) ||
  after.some((item) => {
    const known = before.find(({ id }) => id === item.id)
    return known !== undefined && priceOfItem(item) > priceOfItem(known)
  })

export class NotPendingError extends ServiceError {
  override readonly name = 'Promotions.NotPendingError'
  constructor() {
    super(
      'refused',
      'not_pending',
      'Codes are for carts that wait for their payment. Check out first.',
    )
  }
}

export class UnknownCodeError extends ServiceError {
  override readonly name = 'Promotions.UnknownCodeError'
  constructor() {
    super('not_found', 'code.unknown', 'This code is not on your order.')
  }
}

export class NothingFitsError extends ServiceError {
  override readonly name = 'Promotions.NothingFitsError'
  constructor() {
    super('refused', 'nothing_left', 'No id that this code is for can be had right now.')
  }
}

export class NothingToTakeOffError extends ServiceError {
  override readonly name = 'Promotions.NothingToTakeOffError'
  constructor() {
    const message = 'There is nothing left that this code could take off.'
    super(
      'refused',
      'nothing_to_take_off',
      message,
      inField('code', 'nothing_to_take_off', message),
    )
  }
}
