import type { EmojiId } from '@emojid/core'
import type { OptionalReasonBody } from '../../../platform/http/api/schemas.ts'
import type { Transaction } from '../../../tables.ts'
import type { OwnedId } from '../emoji-ids/emoji-ids.ts'
import { auditedChange, type KeptRecord } from '../records/records.ts'
import type { Deps } from './delays.ts'
import { notifyOfModeration, notifyWithLink } from './notify-owners.ts'
import * as delays from './repository.ts'
import * as rules from './rules.ts'
import type { Signature } from './settle-change.ts'

type DelayableEdit = OptionalReasonBody & {
  /** Read under the lock of the id. */
  standing: rules.Standing
  before: readonly KeptRecord[]
  after: readonly KeptRecord[]
  actor_id: string
  by_operator: boolean
  signature?: Signature | undefined
}

/** The records that take effect now, and when the rest takes effect. */
type SplitEdit = { after: readonly KeptRecord[]; changes_at?: Date }

/**
 * Splits an edit. With a lock, changes that add or reorder payment addresses wait as a whole; pure
 * removals take effect now.
 */
export async function holdChange(
  deps: Deps,
  trx: Transaction,
  ownedId: OwnedId,
  edit: DelayableEdit,
): Promise<SplitEdit> {
  const { now, emojiIds, audit } = deps
  const { before, after, actor_id, by_operator, signature, reason } = edit
  const { lock, waiting } = edit.standing
  const emoji_id = ownedId.emoji_id as EmojiId
  const difference = rules.differenceOf(edit)
  if (!rules.mustWait(edit, difference)) {
    if (!waiting) return { after }
    const remainingDifference = rules.without(rules.toDifference(waiting), difference.removed)
    rules.assertFits(rules.applyDifference(before, remainingDifference), after, remainingDifference)
    await delays.shrinkWaiting(trx, emoji_id, remainingDifference)
    return { after }
  }
  const rest = rules.withoutDelayed(edit)
  if (waiting) {
    const isAsked = rules.isSame(rules.toDifference(waiting), difference)
    if (!isAsked) throw rules.waitingChange(waiting.changes_at)
    rules.assertFits(before, rest, difference)
    return { after: rest, changes_at: waiting.changes_at }
  }
  const hours = rules.hoursAt(lock, now())
  if (hours === 0) return { after }
  if (signature && rest !== before) throw rules.signedMix()
  rules.assertFits(before, rest, difference)
  const asked_at = now()
  const changes_at = rules.addHours(asked_at, hours)
  const row = { emoji_id, ...difference, actor_id, by_operator, signed: signature ?? null }
  const version = await delays.insertWaiting(trx, { ...row, asked_at, changes_at })
  emojiIds.announceAfterCommit(trx, emoji_id)
  const details = { emoji_id, ...auditedChange(difference), changes_at, reason }
  const entry = { actor_id, subject_id: ownedId.user_id, details }
  await audit.writeEntry(trx, 'records.change_planned', entry)
  const changes = rules.describeDifference(before, difference)
  if (by_operator) {
    await notifyOfModeration(deps, trx, ownedId, { changes, at: changes_at })
    return { after: rest, changes_at }
  }
  const notice = { purpose: 'cancel_change' as const, version, at: changes_at, changes, actor_id }
  await notifyWithLink(deps, trx, ownedId, notice)
  return { after: rest, changes_at }
}
