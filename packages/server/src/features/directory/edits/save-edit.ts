import { displayFormat, type EmojiId, parseTonedEmojiId } from '@emojid/core'
import type { Letter } from '../../../platform/mail/letter.ts'
import { inWords } from '../../../platform/mail/phrases.ts'
import type { Transaction } from '../../../tables.ts'
import {
  assertPlannedOrder,
  type Delays,
  recordsModerated,
  type Standing,
} from '../delays/delays.ts'
import { idPage, type OwnedId } from '../emoji-ids/emoji-ids.ts'
import {
  assertSize,
  auditedChange,
  isReordered,
  type KeptRecord,
  type LoadedRecords,
} from '../records/records.ts'
import type { Deps } from './edits.ts'
import * as rules from './rules.ts'

type Change = {
  before: readonly KeptRecord[]
  /** The same as they were loaded, unless they were loaded for many ids. */
  current?: LoadedRecords
  after: readonly KeptRecord[]
  actor_id: string
  /** The author acts for the owner, as operators do. */
  by_operator?: boolean
  reason?: string | undefined
  /** The version whose addresses it restores. */
  undoes?: number
}

type RequestedEdit = {
  inserted: readonly KeptRecord[]
  removed: readonly string[]
  /** The author named the order of all records. */
  isOrdered?: boolean
  /** The delay of the id, and the change that waits. */
  standing: Awaited<ReturnType<Delays['settleChanges']>>
}

export type EditOutcome = { isChanged: boolean; changes_at?: Date }

type Signature = { nonce: string; signature: string }

export async function saveVersion(
  { records, emojiIds }: Deps,
  trx: Transaction,
  ownedId: OwnedId,
  change: Change,
  signature?: Signature,
) {
  const { before, current, after, actor_id, by_operator = false, undoes } = change
  const version = await records.saveRecords(trx, ownedId, {
    records: after,
    current,
    actor_id,
    by_operator,
    ...(signature ? { signature } : {}),
    ...(undoes ? { undoes } : {}),
  })
  const preferred = rules.preferredOf(after)
  if (preferred !== rules.preferredOf(before)) {
    const { id, tones } = parseTonedEmojiId(preferred ?? ownedId.emoji_id)
    await emojiIds.changeDisplay(trx, id, displayFormat(id, tones))
  }
  return version
}

/** The current records, after changes whose delay is over have taken effect. */
export async function loadCurrentRecords(
  { delays, emojiIds, records }: Deps,
  trx: Transaction,
  ownedId: OwnedId,
  read?: Standing,
) {
  emojiIds.assertChangeable(ownedId)
  const standing = await delays.settleChanges(trx, ownedId, read)
  return { ...(await records.loadRecords(trx, ownedId.emoji_id as EmojiId)), standing }
}

/**
 * Saves an edit. An edit without effect makes no version. `changes_at` is the time of the waiting
 * part.
 */
export async function saveEdit(
  deps: Deps,
  trx: Transaction,
  ownedId: OwnedId,
  requested: Change & RequestedEdit,
  signature?: Signature,
): Promise<EditOutcome> {
  const { delays, audit } = deps
  if (requested.isOrdered) assertPlannedOrder(requested.standing, requested)
  const isSame = rules.isSame(requested)
  if (isSame && !signature) return { isChanged: false }
  if (!isSame) assertSize(requested.before, requested.after)
  const { actor_id, by_operator = false, reason } = requested
  const reasonPart = reason ? { reason } : {}
  const { before, after, standing } = requested
  const whole = { before, after, standing, actor_id, by_operator, signature, ...reasonPart }
  const split = await delays.holdChange(trx, ownedId, whole)
  const change = split.changes_at ? rules.partOf(requested, split.after) : requested
  if (split.changes_at && rules.isSame(change)) {
    return { isChanged: false, changes_at: split.changes_at }
  }
  const version = await saveVersion(
    deps,
    trx,
    ownedId,
    change,
    split.changes_at ? undefined : signature,
  )
  const details = {
    emoji_id: ownedId.emoji_id,
    version,
    ...auditedChange(change),
    ...(isReordered(change.before, change.after) ? { reordered: true } : {}),
    reason,
  }
  await audit.writeEntry(trx, 'records.changed', { actor_id, subject_id: ownedId.user_id, details })
  await mailOwners(deps, trx, ownedId, change, version)
  return { isChanged: true, ...(split.changes_at ? { changes_at: split.changes_at } : {}) }
}

/**
 * Emails the owners of the id. Each email has a link that can undo the change for one hour, unless an
 * operator made the change.
 */
async function mailOwners(
  { accounts, emojiIds, links, notifications, authUrl, appealsEmail }: Deps,
  trx: Transaction,
  ownedId: OwnedId,
  change: Change,
  version: number,
) {
  const changes = rules.addressChanges(change)
  if (changes.length === 0) return
  const emoji_id = ownedId.display_format
  const people = await accounts.findAccounts(trx, await emojiIds.findPeopleBehind(trx, ownedId))
  for (const user of people) {
    const { id } = user
    const isOwn = id === change.actor_id
    const find = isOwn ? accounts.mailboxesForOwn : accounts.mailboxesFor
    for (const { to, user_id, until } of await find(trx, user)) {
      const reader = { to, user_id, page: idPage(ownedId.emoji_id) }
      if (change.by_operator) {
        const letter = recordsModerated({ emoji_id, changes, appeals: appealsEmail })
        await notifications.queueMail(trx, { ...reader, kind: 'records_moderated', letter })
        continue
      }
      const data = { email: to, emoji_id: ownedId.emoji_id, version }
      const { token, valid_minutes } = await links.issueLink(trx, 'undo_records', id, data, until)
      const link = `${authUrl}/undo_change?token=${token}`
      const letter = recordsChanged({ emoji_id, changes, isOwn, link, valid_minutes })
      await notifications.queueMail(trx, { ...reader, kind: 'records_changed', letter })
    }
  }
}

/** To the owners of an id after a change of its payment addresses. `isOwn`: the reader made it. */
const recordsChanged = ({
  emoji_id,
  changes,
  isOwn,
  link,
  valid_minutes,
}: {
  emoji_id: string
  changes: readonly string[]
  isOwn: boolean
  link: string
  valid_minutes: number
}): Letter => ({
  subject: `Payment addresses of ${emoji_id} changed`,
  before: `The payment addresses of your emoji id ${emoji_id} were changed ${isOwn ? 'from your account' : 'by another member of your organization'}: ${changes.join('; ')}.`,
  link: { label: 'Undo this change', url: link },
  after: `If you expected this, you don’t need to do anything. If not, undo it within ${inWords(valid_minutes)}, then change your password.`,
})
