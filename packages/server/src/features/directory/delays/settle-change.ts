import { type EmojiId, merkleRoot, signedMessage, signingDomain } from '@emojid/core'
import { transact } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../tables.ts'
import type { OwnedId } from '../emoji-ids/emoji-ids.ts'
import { auditedChange, type KeptRecord } from '../records/records.ts'
import type { Deps } from './delays.ts'
import { notifyOwners } from './notify-owners.ts'
import * as delays from './repository.ts'
import * as rules from './rules.ts'

export type Signature = { nonce: string; signature: string }

type SettledChange = rules.Standing & { isChanged: boolean }

const settledPerRun = 100

/**
 * Applies a change that is due; returns the lock and the change that still waits. The caller holds
 * the lock of the id, and may have read the standing under it.
 */
export async function settleChanges(
  deps: Deps,
  trx: Transaction,
  ownedId: OwnedId,
  read?: rules.Standing,
): Promise<SettledChange> {
  const { now, records, audit } = deps
  const id = ownedId.emoji_id as EmojiId
  const standing = read ?? (await delays.findStanding(trx, id))
  const { waiting } = standing
  if (!waiting || waiting.changes_at > now()) return { ...standing, isChanged: false }
  const difference = rules.toDifference(waiting)
  const current = await records.loadRecords(trx, id)
  const after = rules.applyDifference(current.records, difference)
  const { actor_id, by_operator } = waiting
  const version = await records.saveRecords(trx, ownedId, {
    records: after,
    current,
    actor_id,
    by_operator,
    ...signOwn(deps, ownedId, after, waiting.signed),
  })
  await delays.removeWaiting(trx, id)
  const details = {
    emoji_id: id,
    version,
    ...auditedChange(difference),
    asked_at: waiting.asked_at,
  }
  await audit.writeEntry(trx, 'records.changed', { actor_id, subject_id: ownedId.user_id, details })
  const changes = rules.describeDifference(current.records, difference)
  const sentence = `The change of the payment addresses that was requested on ${rules.formatTime(waiting.asked_at)} is now in effect: ${changes.join('; ')}.`
  await notifyOwners(deps, trx, ownedId, 'Payment addresses changed', sentence)
  return { ...standing, waiting: undefined, isChanged: true }
}

export function settleChangesOf(deps: Deps, id: EmojiId): Promise<void> {
  const { db, emojiIds } = deps
  return transact(db, async (trx) => {
    const ownedId = await emojiIds.findIdToChange(trx, id)
    if (ownedId && !ownedId.suspended_at) await settleChanges(deps, trx, ownedId)
  })
}

export async function settleDueChanges(deps: Deps): Promise<void> {
  const { db, now } = deps
  for (;;) {
    const due = await delays.findDue(db, now(), settledPerRun)
    for (const { emoji_id } of due) await settleChangesOf(deps, emoji_id as EmojiId)
    if (due.length < settledPerRun) return
  }
}

/**
 * The owner's signature of the request, if it still fits the records. Otherwise the service signs
 * as usual.
 */
function signOwn(
  { keys }: Deps,
  ownedId: OwnedId,
  after: readonly KeptRecord[],
  signature: Signature | null,
) {
  if (!signature || !ownedId.pubkey) return {}
  const message = signedMessage(
    ownedId.emoji_id as EmojiId,
    merkleRoot(after.map(({ hash }) => hash)),
  )
  const isRight = keys.isSignedBy(ownedId.pubkey, signingDomain, message, signature)
  return isRight ? { signature } : {}
}
