import { bindUseCases } from '../../../platform/bind.ts'
import type { Sealer } from '../../../platform/crypto/seal.ts'
import type { Dispute, Gateways, PaymentState } from '../../../platform/payments/gateway.ts'
import type { Database, Transaction } from '../../../tables.ts'
import type { Removals } from '../../identity/removals/removals.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import type { Ledger, LedgerEntry } from '../ledger/ledger.ts'
import type { SavedCards } from '../saved-cards/saved-cards.ts'
import { bookPayment } from './book-payment.ts'
import { isOtherCaptured } from './capture-payment.ts'
import { changeAmount, recordAmount } from './change-amount.ts'
import { checkPayment, reloadPayment } from './check-payment.ts'
import { closePayments, endPayment } from './end-payment.ts'
import { openPayment, preparePayment } from './open-payment.ts'
import { reconcilePayments } from './queue-checks.ts'
import {
  assertOffered,
  findCloseReasons,
  findOpenPayments,
  findOrdersWithMoney,
  findPaidData,
  findUnbooked,
  isOffered,
  isUnderWay,
  listAttempts,
  showPaymentData,
} from './read-payments.ts'
import { receiveEvent } from './receive-event.ts'
import type { Attempt, CloseReason } from './repository.ts'
import * as attempts from './repository.ts'
import { reviewAllDisputes, reviewDisputes } from './review-disputes.ts'
import { recoverRefund, reviewClaims, sendRefund } from './send-refund.ts'

export { assertPaidForGood } from './assert-paid-for-good.ts'
export { type Attempt, type CloseReason, closeReasons, type ProviderMethod } from './repository.ts'
export { isOver } from './rules.ts'
export { PaymentMethodData } from './schema.ts'
export { rewrapPayments } from './seal-payment.ts'

/** Called in a separate transaction with the state of an attempt at its provider. */
export type Listener = (trx: Transaction, attempt: Attempt, state: PaymentState) => Promise<void>

/** Locks the order of an authorized payment; returns why it cannot be captured. */
export type CaptureCheck = (
  trx: Transaction,
  attempt: Attempt,
  state: PaymentState,
) => Promise<CloseReason | null>

export type Refund = {
  id: string
  order_id: string
  amount_in_cents: number
  claim_url: string | null
}

export type RefundListener = (trx: Transaction, refund: Refund) => Promise<void>

export type DisputeListener = (
  trx: Transaction,
  payment: LedgerEntry,
  dispute: Dispute,
) => Promise<void>

export type Options = {
  db: Database
  sealer: Sealer
  gateways: Gateways
  savedCards: SavedCards
  removals: Removals
  audit: Audit
  ledger: Ledger
  now: () => Date
}

export type Deps = Options & {
  listeners: Listener[]
  captureChecks: CaptureCheck[]
  refundListeners: RefundListener[]
  disputeListeners: DisputeListener[]
}

export type Payments = ReturnType<typeof createPayments>

/**
 * Payment attempts at providers, their states, refunds and disputes. Listeners apply them to
 * orders.
 */
export function createPayments(options: Options) {
  const listeners: Listener[] = []
  const captureChecks: CaptureCheck[] = []
  const refundListeners: RefundListener[] = []
  const disputeListeners: DisputeListener[] = []
  const deps: Deps = { ...options, listeners, captureChecks, refundListeners, disputeListeners }
  return {
    ...bindUseCases(deps, {
      checkPayment,
      reviewDisputes,
      reviewAllDisputes,
      endPayment,
      isOffered,
      assertOffered,
      preparePayment,
      findOrdersWithMoney,
      openPayment,
      showPaymentData,
      findPaidData,
      findCloseReasons,
      listAttempts,
      changeAmount,
      closePayments,
      findUnbooked,
      bookPayment,
      receiveEvent,
      reconcilePayments,
      reviewClaims,
      sendRefund,
      recoverRefund,
    }),
    /** Adds a listener for the state of an attempt. */
    whenChecked: (listener: Listener) => void listeners.push(listener),
    /** Adds a check whether an authorized payment may be captured. */
    addCaptureCheck: (check: CaptureCheck) => void captureChecks.push(check),
    whenRefunded: (listener: RefundListener) => void refundListeners.push(listener),
    whenDisputed: (listener: DisputeListener) => void disputeListeners.push(listener),
    setLateOrder: attempts.setLateOrder,
    setSeenInHold: attempts.setSeenInHold,
    setCloseReason: attempts.setCloseReason,
    isOtherCaptured,
    reloadPayment,
    isUnderWay,
    findOpenPayments,
    recordAmount,
  }
}
