import type { JobModule } from '../../../platform/jobs/worker.ts'
import type { Sessions } from './sessions.ts'

export const sessionJobs = (sessions: Sessions): JobModule => ({
  tasks: { 'sessions.purge': () => sessions.purgeSessions() },
  schedules: [{ task: 'sessions.purge', cron: '27 4 * * *' }],
})
