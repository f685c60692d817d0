import type { JobModule } from '../../../platform/jobs/worker.ts'
import type { Organizations } from './organizations.ts'

export const organizationJobs = (organizations: Organizations): JobModule => ({
  tasks: { 'organizations.purge_invitations': () => organizations.purgeInvitations() },
  schedules: [{ task: 'organizations.purge_invitations', cron: '37 4 * * *' }],
})
