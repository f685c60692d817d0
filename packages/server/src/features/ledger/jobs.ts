import type { JobModule } from '../../platform/jobs/worker.ts'
import type { Transaction } from '../../tables.ts'
import type { Ledger } from './ledger.ts'
import { refundTask } from './pay-back.ts'

const idOf = (payload: unknown) => (payload as { id: string }).id

export const ledgerJobs = (ledger: Ledger): JobModule => ({
  tasks: { 'refunds.requeue': () => ledger.requeueLost() },
  schedules: [{ task: 'refunds.requeue', cron: '* * * * *' }],
})

/** Who gives up sending money back gives it back themselves. */
export const ledgerTaskRules = (ledger: Ledger) => ({
  [refundTask]: {
    about: (trx: Transaction, payload: unknown) => ledger.about(trx, idOf(payload)),
    whenRemoved: async (trx: Transaction, payload: unknown) =>
      void (await ledger.leaveToPeople(trx, idOf(payload), 'queued')),
  },
})
