import { bindUseCases } from '../../../platform/bind.ts'
import { bookEntry } from './book-money.ts'
import type { Deps } from './deps.ts'
import {
  findUnclaimed,
  finishByHand,
  finishRefund,
  recordClaim,
  requeueLostRefunds,
} from './finish-refund.ts'
import { payBack } from './pay-back.ts'
import { bookLost, leaveToOperators, settleExcess } from './pay-by-bank.ts'
import {
  findDispute,
  findDisputedAttempts,
  findDisputes,
  findKnownDisputes,
  isDisputed,
  isPaymentDisputed,
  listDisputes,
  recordDispute,
} from './read-disputes.ts'
import {
  describeMoney,
  findAttempt,
  findBooked,
  findEntry,
  findLastCardPayment,
  findPayments,
  findRefundable,
  isCashBooked,
  sumEntries,
} from './read-ledger.ts'
import { findRefund, findRefunds, findSentRefund, listRefunds } from './read-refunds.ts'
import * as entries from './repository.ts'

export type Ledger = ReturnType<typeof createLedger>

/** Money that came in and is owed back. Every sum that anybody is shown is made from it. */
export function createLedger(deps: Deps) {
  return {
    ...bindUseCases(deps, {
      book: bookEntry,
      attemptOf: findAttempt,
      find: findEntry,
      findRefund,
      refundsOf: findRefunds,
      refunds: listRefunds,
      payBack,
      finishRefund,
      finishByHand,
      unclaimed: findUnclaimed,
      noteClaim: recordClaim,
      sentOf: findSentRefund,
      requeueLost: requeueLostRefunds,
      paymentsOf: findPayments,
      noteDispute: recordDispute,
      bookLost,
      settleExcess,
      leaveToPeople: leaveToOperators,
      findDispute,
      disputes: listDisputes,
      knownDisputes: findKnownDisputes,
      isPaymentDisputed,
      disputedAttempts: findDisputedAttempts,
    }),
    refundable: findRefundable,
    bookedOf: findBooked,
    isCashBooked,
    lastPaidByCard: findLastCardPayment,
    sums: sumEntries,
    about: describeMoney,
    updateDispute: entries.updateDispute,
    disputesOf: findDisputes,
    isDisputed,
  }
}
