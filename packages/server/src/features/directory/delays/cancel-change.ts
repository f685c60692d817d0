import type { EmojiId } from '@emojid/core'
import { transact } from '../../../platform/database/database.ts'
import type { OptionalReasonBody } from '../../../platform/http/api/schemas.ts'
import type { Transaction } from '../../../tables.ts'
import type { Principal } from '../../operations/access/access.ts'
import type { OwnedId } from '../emoji-ids/emoji-ids.ts'
import { auditedChange } from '../records/records.ts'
import type { SuspensionChange } from '../suspensions/suspensions.ts'
import type { Deps } from './delays.ts'
import { notifyOwners } from './notify-owners.ts'
import { showLockTo } from './read-lock.ts'
import * as delays from './repository.ts'
import * as rules from './rules.ts'
import type { Lock } from './schema.ts'
import { keepLock } from './set-lock.ts'
import { settleChanges } from './settle-change.ts'

type CancelReason = OptionalReasonBody & { actor_id: string }

/** Cancels the waiting change; returns false if there is none. */
export async function dropChange(
  deps: Deps,
  trx: Transaction,
  ownedId: OwnedId,
  { actor_id, reason }: CancelReason,
) {
  const { now, emojiIds, audit } = deps
  const id = ownedId.emoji_id as EmojiId
  const waitingChange = await delays.findWaiting(trx, id)
  if (!waitingChange || waitingChange.changes_at <= now()) return false
  await delays.removeWaiting(trx, id)
  emojiIds.announceAfterCommit(trx, id)
  const details = { emoji_id: id, ...auditedChange(rules.toDifference(waitingChange)), reason }
  const entry = { actor_id, subject_id: ownedId.user_id, details }
  await audit.writeEntry(trx, 'records.change_cancelled', entry)
  const sentence = `The change of the payment addresses of ${ownedId.display_format} on ${rules.formatTime(waitingChange.changes_at)} was cancelled. The current addresses have not changed.`
  await notifyOwners(deps, trx, ownedId, 'A change was cancelled', sentence)
  return true
}

/** Drops the plans of a user who lost access or reports an intruder. */
export async function dropPlansOf(
  deps: Deps,
  trx: Transaction,
  user_id: string,
  organization_id?: string,
) {
  const { emojiIds, now } = deps
  for (const id of await delays.findPlannedBy(trx, user_id)) {
    const ownedId = await emojiIds.findIdToChange(trx, id as EmojiId)
    if (!ownedId || (organization_id && ownedId.organization_id !== organization_id)) continue
    const { lock, waiting } = await delays.findStanding(trx, id)
    if (waiting?.actor_id === user_id) await dropChange(deps, trx, ownedId, { actor_id: user_id })
    if (lock?.asked_by !== user_id || !rules.isLowering(lock, now())) continue
    await keepLock(deps, trx, ownedId, lock.hours, user_id)
  }
}

/** A suspension cancels the planned changes of locked ids. */
export async function dropPlansWhenSuspended(
  deps: Deps,
  trx: Transaction,
  { owned, isSuspended, actor_id, reason }: SuspensionChange,
): Promise<void> {
  if (!isSuspended) return
  const ids = owned.map(({ emoji_id }) => emoji_id)
  const waitingIds = new Set((await delays.findWaitingOf(trx, ids)).map(({ emoji_id }) => emoji_id))
  for (const one of owned.filter(({ emoji_id }) => waitingIds.has(emoji_id))) {
    await settleChanges(deps, trx, one)
    await dropChange(deps, trx, one, { actor_id, reason })
  }
}

export async function cancelChange(
  deps: Deps,
  caller: Principal,
  id: EmojiId,
  reasonPart: OptionalReasonBody,
): Promise<Lock> {
  const { db, emojiIds } = deps
  return transact(db, async (trx) => {
    const ownedId = await emojiIds.loadIdToWrite(trx, caller, id)
    const isDropped = await dropChange(deps, trx, ownedId, {
      actor_id: caller.user_id,
      ...reasonPart,
    })
    if (!isDropped) throw rules.nothingWaits()
    return showLockTo(deps, trx, caller, ownedId)
  })
}
