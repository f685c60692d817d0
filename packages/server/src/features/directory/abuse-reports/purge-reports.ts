import type { Deps } from './abuse-reports.ts'
import * as reports from './repository.ts'
import * as rules from './rules.ts'

export async function purgeReports({ db, now }: Deps): Promise<void> {
  await reports.deleteDecidedBefore(db, rules.decidedBefore(now()))
}
