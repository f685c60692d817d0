import type { JobModule } from '../../platform/jobs/worker.ts'
import { type Notifications, sendTask } from './service.ts'

export const notificationJobs = (notifications: Notifications): JobModule => ({
  tasks: {
    [sendTask]: (payload) => notifications.send((payload as { id: string }).id),
    'notifications.purge': () => notifications.purge(),
  },
  schedules: [{ task: 'notifications.purge', cron: '17 * * * *' }],
})
