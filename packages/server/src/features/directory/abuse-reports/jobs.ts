import type { JobModule } from '../../../platform/jobs/worker.ts'
import type { AbuseReports } from './abuse-reports.ts'

export const abuseReportJobs = (abuseReports: AbuseReports): JobModule => ({
  tasks: { 'abuse_reports.purge': () => abuseReports.purgeReports() },
  schedules: [{ task: 'abuse_reports.purge', cron: '41 3 * * *' }],
})
