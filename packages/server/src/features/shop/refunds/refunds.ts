import { bindTo, bindUseCases } from '../../../platform/bind.ts'
import type { Deps } from './deps.ts'
import { listRefunds } from './list-refunds.ts'
import { overridePayment } from './override-payment.ts'
import { recordPayout } from './record-payout.ts'
import { refundMisc } from './refund-misc.ts'
import { refundOrder } from './refund-order.ts'
import { closeRequests, declineRequest, requestRefund } from './request-refund.ts'

export type Refunds = ReturnType<typeof createRefunds>

/** Refunds and other money decisions of operators. */
export function createRefunds(deps: Deps) {
  const { accounts, ledger } = deps
  accounts.whenRevoked(bindTo(deps)(closeRequests))

  return {
    ...bindUseCases(deps, {
      listRefunds,
      recordPayout,
      requestRefund,
      declineRequest,
      refundOrder,
      refundMisc,
      overridePayment,
    }),
    listAllRefunds: ledger.listRefunds,
  }
}
