import type { JobModule } from '../../../platform/jobs/worker.ts'
import type { Delays } from './delays.ts'

/** Applies due changes of ids without lookups; a lookup applies a due change itself. */
export const delayJobs = (delays: Delays): JobModule => ({
  tasks: { 'delays.settle': () => delays.settleDueChanges() },
  schedules: [{ task: 'delays.settle', cron: '* * * * *' }],
})
