import { idOf } from '../../../platform/jobs/jobs.ts'
import type { JobModule } from '../../../platform/jobs/worker.ts'
import { lapseTask } from '../orders/index.ts'
import type { Settlement } from './settlement.ts'

export const settlementJobs = (settlement: Settlement): JobModule => ({
  tasks: {
    [lapseTask]: (payload) => settlement.lapseOrder(idOf(payload)),
    'orders.sweep': () => settlement.sweepLapsedOrders(),
  },
  schedules: [{ task: 'orders.sweep', cron: '* * * * *' }],
})
