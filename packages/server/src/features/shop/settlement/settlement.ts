import { bindTo, bindUseCases } from '../../../platform/bind.ts'
import { creditByHand } from './credit-order.ts'
import type { Deps, IsDearer, Options } from './deps.ts'
import {
  endPaymentAtProvider,
  lapseOrder,
  returnToDraft,
  sweepLapsedOrders,
} from './lapse-order.ts'
import { mailRefund } from './mail-refund.ts'
import { settlePayment } from './settle-payment.ts'

export type Settlement = ReturnType<typeof createSettlement>

/** What a payment means for its order, in time and late, and how unpaid orders end. */
export function createSettlement(options: Options) {
  const { payments } = options
  const askers: IsDearer[] = []
  const deps: Deps = { ...options, askers }
  const bind = bindTo(deps)
  payments.whenChecked(bind(settlePayment))
  payments.whenRefunded(bind(mailRefund))

  return {
    ...bindUseCases(deps, {
      lapse: lapseOrder,
      endPayment: endPaymentAtProvider,
      sweep: sweepLapsedOrders,
      backToDraft: returnToDraft,
      creditByHand,
    }),
    /** Adds a check whether an order costs more now than when it was asked for. */
    whenLate: (isDearer: IsDearer) => void askers.push(isDearer),
  }
}
