import type { JobModule } from '../../../platform/jobs/worker.ts'
import type { Stats } from './stats.ts'

export const statsJobs = (stats: Stats): JobModule => ({
  tasks: { 'stats.purge': () => stats.purgeCounts() },
  schedules: [{ task: 'stats.purge', cron: '30 0 * * *' }],
})
