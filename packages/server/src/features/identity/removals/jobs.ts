import type { JobModule } from '../../../platform/jobs/worker.ts'
import type { Removals } from './removals.ts'

export const removalJobs = (removals: Removals): JobModule => ({
  tasks: { 'removals.purge': () => removals.purgePeople() },
  schedules: [{ task: 'removals.purge', cron: '53 3 * * *' }],
})
