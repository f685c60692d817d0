import type { JobModule } from '../../../platform/jobs/worker.ts'
import type { Events } from './events.ts'

export const eventJobs = (events: Events): JobModule => ({
  tasks: {
    'events.purge': () => events.purgeEvents(),
    'events.purge_watches': () => events.purgeWatches(),
  },
  schedules: [
    { task: 'events.purge', cron: '20 * * * *' },
    { task: 'events.purge_watches', cron: '*/10 * * * *' },
  ],
})
