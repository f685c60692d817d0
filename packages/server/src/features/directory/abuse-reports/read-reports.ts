import type { EmojiId } from '@emojid/core'
import { toPage } from '../../../platform/http/api/paging.ts'
import { type OwnedId, readEmojiId } from '../emoji-ids/emoji-ids.ts'
import type { Deps } from './abuse-reports.ts'
import type { ReportRow } from './repository.ts'
import * as reports from './repository.ts'
import * as rules from './rules.ts'
import type { ReportFacts, ReportQuery, ReportView } from './schema.ts'

const historyAtMost = 50

export async function listReports(deps: Deps, query: ReportQuery) {
  const emoji_id = query.emoji_id === undefined ? undefined : readEmojiId(query.emoji_id)
  const { rows, total } = await reports.findPage(deps.db, emoji_id, query)
  return toPage(await showReports(deps, rows), total, query)
}

/** A report with the history of its id. */
export async function showReport(deps: Deps, id: string): Promise<ReportFacts> {
  const { db, emojiIds, transfers } = deps
  const report = await reports.find(db, id)
  if (!report) throw rules.unknownReport()
  const { emoji_id, owner_id } = report
  const [ownedId, others, moves, changes] = await Promise.all([
    emojiIds.findId(emoji_id as EmojiId),
    reports.findOthers(db, emoji_id, id, historyAtMost),
    transfers.listAcceptedTransfers([emoji_id], new Date(0)),
    reports.findRecordChanges(db, emoji_id, historyAtMost),
  ])
  const [view, ...otherReports] = await showReports(deps, [report, ...others])
  const newestMoves = moves.toReversed().slice(0, historyAtMost)
  const users = await findUsers(deps, [
    owner_id,
    ownedId?.user_id,
    ...newestMoves.flatMap(({ sender_id, recipient_id }) => [sender_id, recipient_id]),
  ])
  return {
    ...(view as ReportView),
    owner_then: users.get(owner_id ?? '') ?? null,
    reported_id: {
      is_registered: ownedId !== undefined,
      display_format: ownedId?.display_format ?? null,
      owner: users.get(ownedId?.user_id ?? '') ?? null,
      organization: await findOrganization(deps, ownedId),
      since: ownedId?.created_at ?? null,
      suspended: (ownedId?.suspended_at ?? null) !== null,
      frozen: (ownedId?.frozen_at ?? null) !== null,
      minted: ownedId?.minted ?? false,
    },
    transfers: newestMoves.map(({ accepted_at, sender_id, recipient_id }) => ({
      at: accepted_at as Date,
      from: users.get(sender_id) ?? null,
      to: users.get(recipient_id ?? '') ?? null,
    })),
    record_changes: changes.map(({ changed_at, version }) => ({ at: changed_at, version })),
    other_reports: otherReports,
  }
}

async function findOrganization({ db, organizations }: Deps, ownedId: OwnedId | undefined) {
  const id = ownedId?.organization_id
  if (!id) return null
  return { id, name: (await organizations.findOrganization(db, id))?.name ?? '' }
}

async function findUsers({ accounts }: Deps, ids: readonly (string | null | undefined)[]) {
  const uniqueIds = [...new Set(ids.filter((id) => typeof id === 'string'))]
  const users = await accounts.showAccountsOf(uniqueIds)
  return new Map(users.map((user) => [user.id, user]))
}

async function showReports(deps: Deps, rows: readonly ReportRow[]): Promise<ReportView[]> {
  if (rows.length === 0) return []
  const emoji_ids = [...new Set(rows.map(({ emoji_id }) => emoji_id))]
  const [deciders, counts] = await Promise.all([
    findUsers(
      deps,
      rows.map(({ decided_by }) => decided_by),
    ),
    reports.countOpen(deps.db, emoji_ids),
  ])
  const open = new Map(counts.map((count) => [count.emoji_id, Number(count.open)]))
  return rows.map((row) => ({
    id: row.id,
    emoji_id: row.emoji_id,
    category: row.category,
    text: row.text,
    email: row.email,
    times: row.times,
    folded_texts: row.folded_texts,
    open_reports: open.get(row.emoji_id) ?? 0,
    created_at: row.created_at,
    last_at: row.last_at,
    decision: row.decision,
    note: row.note,
    reason: row.reason,
    decided_at: row.decided_at,
    decided_by_user: deciders.get(row.decided_by ?? '') ?? null,
  }))
}
