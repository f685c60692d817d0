import { type EmojiId, toDisplayFormat } from '@emojid/core'
import { transact } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../tables.ts'
import { assertScope, holdCaller, type Principal } from '../../operations/access/access.ts'
import type { Deps } from './abuse-reports.ts'
import { showReport } from './read-reports.ts'
import * as reports from './repository.ts'
import * as rules from './rules.ts'
import type { ReportVerdict } from './schema.ts'

/**
 * Decides a report, or all open reports about its id, suspends the id if the verdict says so, and
 * emails the decision to the reporters.
 */
export async function decideReport(
  deps: Deps,
  caller: Principal,
  id: string,
  verdict: ReportVerdict,
) {
  const { audit, db, emojiIds, now, suspensions } = deps
  const { decision, note = null, reason, every_report = false, suspend = false } = verdict
  rules.assertExplained(verdict)
  rules.assertFit(verdict)
  if (suspend) assertScope(caller, 'adminEmoji:updateSecureData')
  await transact(db, async (trx) => {
    const foundReport = await reports.find(trx, id)
    if (!foundReport) throw rules.unknownReport()
    const emoji_id = foundReport.emoji_id as EmojiId
    // Lock order: the id, then accounts. It stays suspended until the reporters are told so.
    const ownedId = await emojiIds.findIdToChange(trx, emoji_id)
    await holdCaller(trx, caller)
    await assertNotOwn(deps, trx, caller, emoji_id)
    await reports.lockReportsOf(trx, emoji_id)
    const open = await reports.findOpen(trx, emoji_id)
    if (!open.some((report) => report.id === id)) throw rules.decidedReport()
    if (suspend && ownedId) await suspensions.suspendLockedId(trx, caller, ownedId, reason)
    else rules.assertTrue(verdict, ownedId)
    const decided = every_report ? open : open.filter((report) => report.id === id)
    const report_ids = decided.map((report) => report.id)
    const decided_by = caller.user_id
    await reports.decide(trx, report_ids, { decision, note, reason, decided_at: now(), decided_by })
    for (const { email, created_at } of rules.chooseMailed(decided)) {
      await mailDecision(deps, trx, email, { emoji_id, decision, note, created_at })
    }
    // The subject is left out: an owner who exports the own audit entries must not see reports.
    const details = { report_ids, emoji_id, decision, note, reason }
    await audit.writeEntry(trx, 'report.decided', {
      actor_id: caller.user_id,
      subject_id: null,
      details,
    })
  })
  return showReport(deps, id)
}

async function assertNotOwn(
  { emojiIds }: Deps,
  trx: Transaction,
  { user_id }: Principal,
  emoji_id: EmojiId,
): Promise<void> {
  const ownedId = (await emojiIds.findOwners(trx, [emoji_id])).get(emoji_id)
  if (!ownedId) return
  const people = await emojiIds.findPeopleBehind(trx, ownedId)
  if (people.includes(user_id)) throw rules.ownReportedId()
}

type Outcome = {
  emoji_id: EmojiId
  decision: ReportVerdict['decision']
  note: string | null
  created_at: Date
}

/** Quotes nothing of the report: another person may have entered the address. */
function mailDecision(
  { notifications }: Deps,
  trx: Transaction,
  to: string,
  { emoji_id, decision, note, created_at }: Outcome,
) {
  return notifications.queueMail(trx, {
    to,
    kind: 'report_decided',
    silent: true,
    letter: rules.reportDecided({
      emoji_id: toDisplayFormat(emoji_id),
      reported_on: created_at.toISOString().slice(0, 10),
      decision,
      note,
    }),
  })
}
