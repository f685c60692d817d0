import { ServiceError } from '../../platform/errors.ts'

export class UnknownPaymentMethodError extends ServiceError {
  override readonly name = 'Payments.UnknownPaymentMethodError'
  constructor() {
    super('not_found', 'payment_method.unknown', 'You have no such payment method.')
  }
}
