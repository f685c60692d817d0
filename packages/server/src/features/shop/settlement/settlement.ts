import { bindTo, bindUseCases } from '../../../platform/bind.ts'
import { idOf } from '../../../platform/jobs/jobs.ts'
import type { JobModule } from '../../../platform/jobs/worker.ts'
import { lapseTask } from '../orders/orders.ts'
import { checkCapture } from './check-capture.ts'
import { creditByHand, creditReceived } from './credit-order.ts'
import type { Deps, Options, PriceCheck } from './deps.ts'
import {
  abandonCheckout,
  endPaymentAtProvider,
  lapseOrder,
  sweepLapsedOrders,
} from './lapse-order.ts'
import { mailRefund } from './mail-refund.ts'
import { settlePayment } from './settle-payment.ts'

export { pendingPayment } from './rules.ts'

export type Settlement = ReturnType<typeof createSettlement>

/** Applies payments to orders, in time and late, and ends unpaid orders. */
export function createSettlement(options: Options) {
  const { payments } = options
  const priceChecks: PriceCheck[] = []
  const deps: Deps = { ...options, priceChecks }
  const bind = bindTo(deps)
  payments.whenChecked(bind(settlePayment))
  payments.addCaptureCheck(bind(checkCapture))
  payments.whenRefunded(bind(mailRefund))

  return {
    ...bindUseCases(deps, {
      lapseOrder,
      endPaymentAtProvider,
      sweepLapsedOrders,
      abandonCheckout,
      creditByHand,
      creditReceived,
    }),
    /** Adds a check whether an order costs more now than when its payment was requested. */
    addPriceCheck: (isDearer: PriceCheck) => void priceChecks.push(isDearer),
  }
}

export const settlementJobs = (settlement: Settlement): JobModule => ({
  tasks: {
    [lapseTask]: (payload) => settlement.lapseOrder(idOf(payload)),
    'orders.sweep': () => settlement.sweepLapsedOrders(),
  },
  schedules: [{ task: 'orders.sweep', cron: '* * * * *' }],
})
