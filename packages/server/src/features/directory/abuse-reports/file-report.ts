import type { EmojiId } from '@emojid/core'
import { transact } from '../../../platform/database/database.ts'
import { currentNetwork } from '../../../platform/request-id.ts'
import type { Transaction } from '../../../tables.ts'
import type { Origin } from '../../identity/login/login.ts'
import { isCounted } from '../../operations/notifications/notifications.ts'
import { readEmojiId, UnregisteredError } from '../emoji-ids/emoji-ids.ts'
import type { Deps } from './abuse-reports.ts'
import * as reports from './repository.ts'
import * as rules from './rules.ts'
import type { NewReport, ReportReceipt } from './schema.ts'

/** The id to report; throws if it has no owner. */
export async function findReportable({ emojiIds }: Deps, text: string) {
  const emoji_id = readEmojiId(text)
  const ownedId = await emojiIds.findId(emoji_id)
  if (!ownedId) throw new UnregisteredError(emoji_id)
  return { emoji_id, display_format: ownedId.display_format }
}

/**
 * Stores a report of a stranger, or folds it into an open one. Neither the response nor the email
 * says anything about the owner.
 */
export async function fileReport(
  deps: Deps,
  text: string,
  body: NewReport,
  origin: Origin,
): Promise<ReportReceipt> {
  const { budget, db, login } = deps
  const report = rules.readReport(body)
  budget.spend(currentNetwork(), 1)
  const { emoji_id } = await findReportable(deps, text)
  await login.assertCaptcha(body, origin)
  return transact(db, (trx) => storeReport(deps, trx, emoji_id, report))
}

async function storeReport(
  deps: Deps,
  trx: Transaction,
  emoji_id: EmojiId,
  report: rules.Report,
): Promise<ReportReceipt> {
  const { audit, emojiIds, now } = deps
  const owner = (await emojiIds.findOwners(trx, [emoji_id])).get(emoji_id)
  if (!owner) throw new UnregisteredError(emoji_id)
  await reports.lockReportsOf(trx, emoji_id)
  // Behind a proxy that hides client addresses, all reporters have the same network.
  const network = isCounted(currentNetwork()) ? currentNetwork() : null
  const fold = rules.findFold(await reports.findOpen(trx, emoji_id), report, network)
  if (fold) {
    await reports.countAgain(trx, fold.id, now(), rules.foldText(fold, report, now()))
    return { mails_decision: false }
  }
  const email = await acceptAddress(deps, trx, report.email)
  const { id } = await reports.insert(trx, {
    ...report,
    emoji_id,
    owner_id: owner.user_id,
    email,
    network,
    created_at: now(),
    last_at: now(),
  })
  // The subject is left out: an owner who exports the own audit entries must not see reports.
  const details = { report_id: id, emoji_id, category: report.category }
  await audit.writeEntry(trx, 'report.filed', { subject_id: null, details })
  return { mails_decision: email !== null }
}

/** The address is unconfirmed, so the number of emails to it is limited when it is entered. */
async function acceptAddress(
  { notifications }: Deps,
  trx: Transaction,
  email: string | null,
): Promise<string | null> {
  if (email === null) return null
  return (await notifications.countUnconfirmedNotice(trx, email, 'report')) ? email : null
}
