import type { JobModule } from '../../platform/jobs/worker.ts'
import type { Delays } from './service.ts'

/** For ids that nobody looks up: whoever does finds the change made in time. */
export const delayJobs = (delays: Delays): JobModule => ({
  tasks: { 'delays.settle': () => delays.settleDue() },
  schedules: [{ task: 'delays.settle', cron: '* * * * *' }],
})
