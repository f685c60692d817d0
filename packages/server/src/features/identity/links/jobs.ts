import type { JobModule } from '../../../platform/jobs/worker.ts'
import type { Links } from './links.ts'

export const linkJobs = (links: Links): JobModule => ({
  tasks: { 'links.purge': () => links.purgeExpiredLinks() },
  schedules: [{ task: 'links.purge', cron: '17 * * * *' }],
})
