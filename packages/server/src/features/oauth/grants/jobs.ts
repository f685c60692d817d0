import type { JobModule } from '../../../platform/jobs/worker.ts'
import type { Oauth } from './grants.ts'

export const oauthJobs = (oauth: Oauth): JobModule => ({
  tasks: { 'oauth.purge': () => oauth.purgeGrants() },
  schedules: [{ task: 'oauth.purge', cron: '27 * * * *' }],
})
