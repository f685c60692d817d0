import type { EmojiId } from '@emojid/core'
import type { Transaction } from '../../../tables.ts'
import type { Deps, SuspensionChange } from './deps.ts'

/**
 * The one place that reports suspended and restored ids: to other features before the change, to
 * the audit log, as events, and to the lookup cache after the commit.
 */
export async function announceSuspension(
  { audit, emojiIds, whenChanged }: Deps,
  trx: Transaction,
  change: SuspensionChange,
): Promise<void> {
  const { owned, isSuspended, actor_id, reason } = change
  for (const action of whenChanged) await action(trx, change)
  await audit.writeEntries(
    trx,
    isSuspended ? 'emoji_id.suspended' : 'emoji_id.restored',
    actor_id,
    owned.map(({ emoji_id, user_id }) => ({ subject_id: user_id, details: { emoji_id, reason } })),
  )
  await emojiIds.recordStates(trx, isSuspended ? 'emoji_id.suspended' : 'emoji_id.restored', owned)
  for (const { emoji_id } of owned) emojiIds.announceAfterCommit(trx, emoji_id as EmojiId)
}
