import { ServiceError } from '../../platform/errors.ts'

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

export class NothingFitsError extends ServiceError {
  override readonly name = 'Promotions.NothingFitsError'
  constructor() {
    super('refused', 'nothing_left', 'No id that this code is for can be had right now.')
  }
}
