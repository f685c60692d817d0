import { idOf } from '../../../platform/jobs/jobs.ts'
import type { JobModule } from '../../../platform/jobs/worker.ts'
import type { Transaction } from '../../../tables.ts'
import { refundTask } from '../ledger/ledger.ts'
import type { Payments } from './payments.ts'
import { checkTask, disputeTask } from './queue-checks.ts'

/** Operators cannot remove these jobs: an event of a provider must not be lost. */
const notRemovable = {
  isKept: true,
  about: async (_trx: Transaction, payload: unknown) => ({ attempt_id: idOf(payload) }),
}
export const paymentTaskRules = { [checkTask]: notRemovable, [disputeTask]: notRemovable }

export const paymentJobs = (payments: Payments): JobModule => ({
  tasks: {
    [checkTask]: async (payload) => void (await payments.checkPayment(idOf(payload))),
    [disputeTask]: (payload) => payments.reviewDisputes(idOf(payload)),
    [refundTask]: (payload) => payments.sendRefund(idOf(payload)),
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
