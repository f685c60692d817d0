import { bindUseCases } from '../../../platform/bind.ts'
import type { Sealer } from '../../../platform/crypto/seal.ts'
import { ServiceError } from '../../../platform/errors.ts'
import { idOf } from '../../../platform/jobs/jobs.ts'
import type { JobModule } from '../../../platform/jobs/worker.ts'
import type { Database, Transaction } from '../../../tables.ts'
import { bookLostDispute, leaveToOperators, settleExcess } from './book-lost-dispute.ts'
import { bookRefund, refundTask } from './book-refund.ts'
import {
  findUnclaimedRefunds,
  finishByHand,
  finishRefund,
  recordClaim,
  requeueLostRefunds,
} from './finish-refund.ts'
import {
  findDispute,
  findDisputedAttempts,
  findDisputes,
  findKnownDisputes,
  isPaymentDisputed,
  listDisputes,
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
  listEntries,
} from './read-ledger.ts'
import { findRefund, findRefunds, findSentRefund, listRefunds } from './read-refunds.ts'
import { recordDispute } from './record-dispute.ts'
import * as entries from './repository.ts'

export { refundTask } from './book-refund.ts'
export { requeueLostRefunds, rewrapClaims } from './finish-refund.ts'
export type { DisputeRow, LedgerEntry } from './repository.ts'
export { isUnsettled, restOf, type Sums, sumsOf } from './rules.ts'
export { DisputeQuery, DisputeStatus, RefundPage, RefundQuery, RefundView } from './schema.ts'

export type Deps = { db: Database; sealer: Sealer; now: () => Date }

export type Ledger = ReturnType<typeof createLedger>

/** The ledger of payments and refunds, the source of every displayed sum. */
export function createLedger(deps: Deps) {
  return {
    ...bindUseCases(deps, {
      bookEntry,
      findAttempt,
      findEntry,
      listEntries,
      findRefund,
      findRefunds,
      listRefunds,
      bookRefund,
      finishRefund,
      finishByHand,
      findUnclaimedRefunds,
      recordClaim,
      findSentRefund,
      requeueLostRefunds,
      findPayments,
      recordDispute,
      bookLostDispute,
      settleExcess,
      leaveToOperators,
      findDispute,
      listDisputes,
      findKnownDisputes,
      isPaymentDisputed,
      findDisputedAttempts,
    }),
    findRefundable,
    findBooked,
    isCashBooked,
    findLastCardPayment,
    describeMoney,
    updateDispute: entries.updateDispute,
    findDisputes,
  }
}

type Entry = Omit<Parameters<typeof entries.insertEntry>[1], 'created_at'>

const bookEntry = ({ now }: Deps, trx: Transaction, entry: Entry) =>
  entries.insertEntry(trx, { ...entry, created_at: now() })

export const ledgerJobs = (ledger: Ledger): JobModule => ({
  tasks: { 'refunds.requeue': () => ledger.requeueLostRefunds() },
  schedules: [{ task: 'refunds.requeue', cron: '* * * * *' }],
})

/** An operator who removes the job of a refund pays it by hand, unless the provider has sent it. */
export const ledgerTaskRules = (
  ledger: Ledger,
  recoverRefund: (id: string) => Promise<boolean>,
) => ({
  [refundTask]: {
    about: (trx: Transaction, payload: unknown) => ledger.describeMoney(trx, idOf(payload)),
    beforeRemoved: async (payload: unknown) => {
      await recoverRefund(idOf(payload)).catch((error) => {
        // Asks the provider again before an operator pays by hand.
        if (!(error instanceof ServiceError)) throw error
      })
    },
    whenRemoved: async (trx: Transaction, payload: unknown) =>
      void (await ledger.leaveToOperators(trx, idOf(payload), 'queued')),
  },
})
