import type { JobModule } from '../../../platform/jobs/worker.ts'
import type { Passkeys } from './passkeys.ts'

export const passkeyJobs = (passkeys: Passkeys): JobModule => ({
  tasks: { 'passkeys.purge': () => passkeys.purgeChallenges() },
  schedules: [{ task: 'passkeys.purge', cron: '23 * * * *' }],
})
