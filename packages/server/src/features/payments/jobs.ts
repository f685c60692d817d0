import type { JobModule } from '../../platform/jobs/worker.ts'
import { refundTask } from '../ledger/index.ts'
import { checkTask, type Payments } from './service.ts'

type About = { id: string }

export const paymentJobs = (payments: Payments): JobModule => ({
  tasks: {
    [checkTask]: async (payload) => void (await payments.check((payload as About).id)),
    [refundTask]: (payload) => payments.sendRefund((payload as About).id),
    'payments.reconcile': () => payments.reconcile(),
  },
  schedules: [{ task: 'payments.reconcile', cron: '* * * * *' }],
})
