import type { JobModule } from '../../../platform/jobs/worker.ts'
import type { Webhooks } from './webhooks.ts'

export const webhookJobs = (webhooks: Webhooks): JobModule => ({
  tasks: { 'webhooks.purge': () => webhooks.purgeDeliveries() },
  schedules: [{ task: 'webhooks.purge', cron: '40 * * * *' }],
})
