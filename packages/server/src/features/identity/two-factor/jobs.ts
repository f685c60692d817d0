import type { JobModule } from '../../../platform/jobs/worker.ts'
import type { SecondFactor } from './two-factor.ts'

export const twoFactorJobs = (secondFactor: SecondFactor): JobModule => ({
  tasks: { 'two_factor.purge': () => secondFactor.purgeFactors() },
  schedules: [{ task: 'two_factor.purge', cron: '47 * * * *' }],
})
