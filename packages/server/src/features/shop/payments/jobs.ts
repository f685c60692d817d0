import type { JobModule } from '../../../platform/jobs/worker.ts'
import type { Transaction } from '../../../tables.ts'
import { refundTask } from '../ledger/index.ts'
import type { Payments } from './payments.ts'
import { checkTask, disputeTask } from './queue-checks.ts'

type About = { id: string }

/** Operators cannot remove these jobs: an event of a provider must not be lost. */
const kept = {
  isKept: true,
  about: async (_trx: Transaction, payload: unknown) => ({ attempt_id: (payload as About).id }),
}
export const paymentTaskRules = { [checkTask]: kept, [disputeTask]: kept }

export const paymentJobs = (payments: Payments): JobModule => ({
  tasks: {
    [checkTask]: async (payload) => void (await payments.checkPayment((payload as About).id)),
    [disputeTask]: (payload) => payments.reviewDisputes((payload as About).id),
    [refundTask]: (payload) => payments.sendRefund((payload as About).id),
    'payments.reconcile': () => payments.reconcilePayments(),
    'payments.disputes': () => payments.reviewAllDisputes(),
    'payments.claims': () => payments.reviewClaims(),
  },
  schedules: [
    { task: 'payments.reconcile', cron: '* * * * *' },
    { task: 'payments.disputes', cron: '17 * * * *' },
    { task: 'payments.claims', cron: '*/10 * * * *' },
  ],
})
