import type { JobModule } from '../../platform/jobs/worker.ts'
import type { Transaction } from '../../tables.ts'
import { refundTask } from '../ledger/index.ts'
import { checkTask, type Payments } from './service.ts'

type About = { id: string }

/** What a provider told is found out, sooner or later. */
export const paymentTaskRules = {
  [checkTask]: {
    isKept: true,
    about: async (_trx: Transaction, payload: unknown) => ({ attempt_id: (payload as About).id }),
  },
}

export const paymentJobs = (payments: Payments): JobModule => ({
  tasks: {
    [checkTask]: async (payload) => void (await payments.check((payload as About).id)),
    [refundTask]: (payload) => payments.sendRefund((payload as About).id),
    'payments.reconcile': () => payments.reconcile(),
  },
  schedules: [{ task: 'payments.reconcile', cron: '* * * * *' }],
})
