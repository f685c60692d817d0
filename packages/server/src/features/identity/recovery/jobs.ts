import type { JobModule } from '../../../platform/jobs/worker.ts'
import type { Recovery } from './recovery.ts'

export const recoveryJobs = (recovery: Recovery): JobModule => ({
  tasks: { 'recovery.purge': () => recovery.purgeRecoveries() },
  schedules: [{ task: 'recovery.purge', cron: '41 * * * *' }],
})
