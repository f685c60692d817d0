import { bindUseCases } from '../../../platform/bind.ts'
import { type Budget, createBudget } from '../../../platform/http/limits.ts'
import type { Database } from '../../../tables.ts'
import type { Accounts } from '../../identity/accounts/accounts.ts'
import type { Login } from '../../identity/login/login.ts'
import type { Organizations } from '../../identity/organizations/organizations.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import type { Notifications } from '../../operations/notifications/notifications.ts'
import type { EmojiIds } from '../emoji-ids/emoji-ids.ts'
import type { Suspensions } from '../suspensions/suspensions.ts'
import type { Transfers } from '../transfers/transfers.ts'
import { decideReport } from './decide-report.ts'
import { fileReport, findReportable } from './file-report.ts'
import { listReports, showReport } from './read-reports.ts'
import { deleteDecidedBefore } from './repository.ts'
import { decidedBefore } from './rules.ts'

export type { ReportCategory } from './repository.ts'
export { ReportView, reportCategories } from './schema.ts'

export type Options = {
  db: Database
  accounts: Accounts
  login: Login
  organizations: Organizations
  emojiIds: EmojiIds
  suspensions: Suspensions
  transfers: Transfers
  notifications: Notifications
  audit: Audit
  now: () => Date
}

export type Deps = Options & { budget: Budget }

/** Operators read every report: ten at once, then ten an hour per network. */
const rates = {
  each: { atOnce: 10, perSecond: 1 / 360 },
  all: { atOnce: 500, perSecond: 1 },
}

export type AbuseReports = ReturnType<typeof createAbuseReports>

/** Reports of abuse about ids, and the decisions of operators. */
export function createAbuseReports(options: Options) {
  const deps: Deps = { ...options, budget: createBudget('abuse reports', rates) }
  return bindUseCases(deps, {
    findReportable,
    fileReport,
    listReports,
    showReport,
    decideReport,
  })
}

export const purgeReports = (db: Database, at: Date) => deleteDecidedBefore(db, decidedBefore(at))
