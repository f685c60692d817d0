import type { JobModule } from '../../../platform/jobs/worker.ts'
import type { Throttle } from './throttle.ts'

export const throttleJobs = (throttle: Throttle): JobModule => ({
  tasks: {
    async 'throttle.purge'() {
      await throttle.purgeOldFailures()
    },
  },
  schedules: [{ task: 'throttle.purge', cron: '37 * * * *' }],
})
