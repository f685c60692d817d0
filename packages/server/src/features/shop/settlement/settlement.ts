import { bindUseCases } from '../../../platform/bind.ts'
import * as order from '../orders/index.ts'
import type { Deps, IsDearer, Options } from './deps.ts'
import {
  endPaymentAtProvider,
  endUnpaidOrder,
  lapseOrder,
  returnToDraft,
  sweepLapsedOrders,
} from './lapse-order.ts'
import { isSeenInFull } from './rules.ts'
import { creditLate, hasPriceRisen } from './settle-late-payment.ts'
import { creditByHand, creditInTime, refundExcess } from './settle-payment.ts'

export type Settlement = ReturnType<typeof createSettlement>

/** What money means for an order, in time and late; and what becomes of orders that get none. */
export function createSettlement(options: Options) {
  const { payments, orders, now, accounts, ledger, notifications } = options
  const askers: IsDearer[] = []
  const deps: Deps = { ...options, askers }
  payments.whenChecked(async (trx, seen, state) => {
    const current = await orders.loadToChange(trx, seen.order_id)
    // Somebody else may have drawn conclusions while this waited for the order.
    const known = await payments.reload(trx, seen)
    const isOfThisRound = current.round === known.round
    const isPending = isOfThisRound && current.status === 'PendingPayment'
    const isHeld = isPending && !order.isLapsed(current, now())
    // Money that vanished, such as a replaced transaction, counts only when it is seen anew.
    const attempt = await payments.setSeenInHold(
      trx,
      known.id,
      (isHeld || known.seen_in_hold) && isSeenInFull(known, state),
    )
    if (isOfThisRound && current.status === 'Paid') {
      return refundExcess(deps, trx, current, await payments.book(trx, attempt, current.id, state))
    }
    if (isPending) {
      const isLate = !isHeld && !attempt.seen_in_hold && state.seen_in_cents > 0
      if (isLate && (await hasPriceRisen(deps, trx, current)))
        await endUnpaidOrder(deps, trx, current)
      else if (await creditInTime(deps, trx, current, attempt, state)) return
      else await endUnpaidOrder(deps, trx, current)
    }
    await creditLate(deps, trx, attempt, state)
  })
  payments.whenRefunded(async (trx, { id, order_id, amount_in_cents, claim_url }) => {
    const refunded = await orders.loadToChange(trx, order_id)
    const user = await accounts.find(refunded.user_id, trx)
    // Nobody is there who could claim it.
    if (claim_url && user?.deleted_at) await ledger.leaveToPeople(trx, id, 'done')
    if (!user?.email) return
    const params = { order_number: order.orderNumber(refunded), amount_in_cents }
    const link = claim_url === null ? {} : { link: claim_url }
    await notifications.queueMail(trx, {
      to: user.email,
      template: 'refund_sent',
      params: { ...params, ...link },
    })
  })
  return {
    ...bindUseCases(deps, {
      lapse: lapseOrder,
      endPayment: endPaymentAtProvider,
      sweep: sweepLapsedOrders,
      backToDraft: returnToDraft,
      creditByHand,
    }),
    /** Who knows what late money has to pay. */
    whenLate: (isDearer: IsDearer) => void askers.push(isDearer),
  }
}
