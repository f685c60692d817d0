import type { EmojiId } from '@emojid/core'
import { transact } from '../../../platform/database/database.ts'
import type { OptionalReasonBody } from '../../../platform/http/api/schemas.ts'
import type { Transaction } from '../../../tables.ts'
import type { Principal } from '../../operations/access/access.ts'
import type { OwnedId } from '../emoji-ids/emoji-ids.ts'
import type { Deps } from './delays.ts'
import { type LockNotice, notifyOfRaise, notifyOwners, notifyWithLink } from './notify-owners.ts'
import { loadSettled, showLockTo } from './read-lock.ts'
import * as delays from './repository.ts'
import * as rules from './rules.ts'
import type { Lock, NewLock } from './schema.ts'

/** Keeps the lock and drops a planned lowering. */
export async function keepLock(
  deps: Deps,
  trx: Transaction,
  ownedId: OwnedId,
  hours: number,
  actor_id: string,
) {
  const { audit } = deps
  const { emoji_id, display_format, user_id: subject_id } = ownedId
  const terms = { hours, next_hours: null, next_at: null }
  await delays.putLock(trx, emoji_id, terms, actor_id)
  const details = { emoji_id, ...terms }
  await audit.writeEntry(trx, 'delay_lock.changed', { actor_id, subject_id, details })
  await notifyOwners(deps, trx, ownedId, 'Delay lock', rules.keptSentence(display_format, hours))
}

/** The user says that an intruder raised the lock: it gets its former length again. */
export async function undoRaise(deps: Deps, trx: Transaction, user_id: string, notice: LockNotice) {
  const { emojiIds, now, audit } = deps
  const ownedId =
    notice.emoji_id && (await emojiIds.findIdToChange(trx, notice.emoji_id as EmojiId))
  if (!ownedId || !(await emojiIds.findPeopleBehind(trx, ownedId)).includes(user_id)) return
  const { emoji_id, display_format, user_id: subject_id } = ownedId
  const lock = await delays.findLock(trx, emoji_id)
  const hours = notice.hours ?? 0
  if (lock?.asked_by !== user_id || rules.hoursAt(lock, now()) <= hours) return
  if (hours > 0) return keepLock(deps, trx, ownedId, hours, user_id)
  await delays.removeLock(trx, emoji_id)
  const entry = { actor_id: user_id, subject_id, details: { emoji_id, hours } }
  await audit.writeEntry(trx, 'delay_lock.changed', entry)
  await notifyOwners(deps, trx, ownedId, 'Delay lock', rules.keptSentence(display_format, hours))
}

export async function setLock(
  deps: Deps,
  caller: Principal,
  id: EmojiId,
  { hours, reason }: NewLock,
): Promise<Lock> {
  const { db, now } = deps
  return transact(db, async (trx) => {
    const ownedId = await loadSettled(deps, trx, caller, id)
    const terms = rules.planLock(await delays.findLock(trx, id), hours, now())
    const by = { actor_id: caller.user_id, ...(reason ? { reason } : {}) }
    if (terms) await saveLock(deps, trx, ownedId, terms, by)
    return showLockTo(deps, trx, caller, ownedId)
  })
}

async function saveLock(
  deps: Deps,
  trx: Transaction,
  ownedId: OwnedId,
  terms: rules.Terms | 'none',
  { actor_id, reason }: OptionalReasonBody & { actor_id: string | null },
) {
  const { audit, now } = deps
  const id = ownedId.emoji_id
  const details = { emoji_id: id, ...(terms === 'none' ? { hours: 0 } : terms), reason }
  await audit.writeEntry(trx, 'delay_lock.changed', {
    actor_id,
    subject_id: ownedId.user_id,
    details,
  })
  const before = rules.hoursAt(await delays.findLock(trx, id), now())
  if (terms === 'none') return void (await delays.removeLock(trx, id))
  const version = await delays.putLock(trx, id, terms, actor_id)
  const { hours, next_hours, next_at } = terms
  if (next_at) {
    const changes = rules.describeLowering(hours, next_hours)
    const notice = { purpose: 'keep_delay' as const, version, at: next_at, changes, actor_id }
    return notifyWithLink(deps, trx, ownedId, notice)
  }
  await notifyOfRaise(deps, trx, ownedId, { actor_id, before, after: hours })
}
