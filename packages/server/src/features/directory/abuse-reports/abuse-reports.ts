import { bindUseCases } from '../../../platform/bind.ts'
import type { JobModule } from '../../../platform/jobs/worker.ts'
import { decideReport } from './decide-report.ts'
import type { Deps, Options } from './deps.ts'
import { fileReport, findReportable } from './file-report.ts'
import { createLimits } from './limits.ts'
import { purgeReports } from './purge-reports.ts'
import { listReports, showReport } from './read-reports.ts'

export type { ReportCategory } from './repository.ts'
export { ReportView, reportCategories } from './schema.ts'

export type AbuseReports = ReturnType<typeof createAbuseReports>

/** Reports of abuse about ids, and the decisions of operators. */
export function createAbuseReports(options: Options) {
  const deps: Deps = { ...options, limits: createLimits() }
  return bindUseCases(deps, {
    findReportable,
    fileReport,
    listReports,
    showReport,
    decideReport,
    purgeReports,
  })
}

export const abuseReportJobs = (abuseReports: AbuseReports): JobModule => ({
  tasks: { 'abuse_reports.purge': () => abuseReports.purgeReports() },
  schedules: [{ task: 'abuse_reports.purge', cron: '41 3 * * *' }],
})
