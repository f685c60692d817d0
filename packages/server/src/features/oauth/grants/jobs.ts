import type { JobModule } from '../../../platform/jobs/worker.ts'
import type { Grants } from './grants.ts'

export const grantJobs = (grants: Grants): JobModule => ({
  tasks: { 'oauth.purge': () => grants.purgeGrants() },
  schedules: [{ task: 'oauth.purge', cron: '27 * * * *' }],
})
