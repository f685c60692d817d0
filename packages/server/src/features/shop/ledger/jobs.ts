import { ServiceError } from '../../../platform/errors.ts'
import { idOf } from '../../../platform/jobs/jobs.ts'
import type { JobModule } from '../../../platform/jobs/worker.ts'
import type { Transaction } from '../../../tables.ts'
import { refundTask } from './book-refund.ts'
import type { Ledger } from './ledger.ts'

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
