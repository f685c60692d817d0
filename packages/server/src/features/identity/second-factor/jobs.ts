import type { JobModule } from '../../../platform/jobs/worker.ts'
import type { SecondFactor } from './second-factor.ts'

export const secondFactorJobs = (secondFactor: SecondFactor): JobModule => ({
  tasks: { 'two_factor.purge': () => secondFactor.purgeFactors() },
  schedules: [{ task: 'two_factor.purge', cron: '47 * * * *' }],
})
