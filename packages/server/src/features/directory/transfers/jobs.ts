import type { JobModule } from '../../../platform/jobs/worker.ts'
import type { Transfers } from './transfers.ts'

export const transferJobs = (transfers: Transfers): JobModule => ({
  tasks: { 'transfers.sweep': () => transfers.closeExpiredTransfers() },
  schedules: [{ task: 'transfers.sweep', cron: '*/5 * * * *' }],
})
