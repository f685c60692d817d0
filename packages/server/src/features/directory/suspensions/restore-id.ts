import type { EmojiId } from '@emojid/core'
import { transact } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../tables.ts'
import { holdCaller, type Principal } from '../../operations/access/index.ts'
import type { OwnedId } from '../emoji-ids/emoji-ids.ts'
import { announceSuspension } from './announce-suspension.ts'
import type { Deps } from './deps.ts'
import { notifyOwners } from './notify-owners.ts'
import { showState } from './read-suspensions.ts'
import * as rules from './rules.ts'
import type { SuspensionState } from './schema.ts'

/** Restores one id. An id that is not suspended stays as it is. */
export function restoreId(
  deps: Deps,
  caller: Principal,
  id: EmojiId,
  reason: string,
): Promise<SuspensionState> {
  const { db, emojiIds } = deps
  return transact(db, async (trx) => {
    const ownedId = await emojiIds.loadIdToChange(trx, id)
    await holdCaller(trx, caller)
    if (!ownedId.suspended_at) return showState(ownedId)
    rules.assertNotOwnId(caller, ownedId)
    const people = await emojiIds.findPeopleBehind(trx, ownedId)
    await restoreIds(deps, trx, [ownedId], { actor_id: caller.user_id, reason, people })
    return showState(await emojiIds.loadIdToChange(trx, id))
  })
}

/**
 * Restores the ids of a user whose account was activated, and those of the user's organizations that
 * have an active power role again. Only ids that were suspended with an account. The caller has
 * locked the organizations.
 */
export async function restoreIdsOfUser(
  deps: Deps,
  trx: Transaction,
  user_id: string,
  by: { actor_id: string; reason: string },
): Promise<void> {
  const { emojiIds } = deps
  const suspendedIds = await emojiIds.lockIdsToRestore(trx, user_id)
  if (suspendedIds.length > 0)
    await restoreIds(deps, trx, suspendedIds, { ...by, people: [user_id] })
}

async function restoreIds(
  deps: Deps,
  trx: Transaction,
  ownedIds: readonly OwnedId[],
  { actor_id, reason, people }: { actor_id: string; reason: string; people: readonly string[] },
) {
  const { emojiIds } = deps
  await announceSuspension(deps, trx, { owned: ownedIds, isSuspended: false, actor_id, reason })
  await emojiIds.setSuspension(
    trx,
    ownedIds.map(({ emoji_id }) => emoji_id),
    {
      suspended_at: null,
      suspension_reason: null,
      suspended_with_owner: false,
      suspended_with_user: null,
      suspended_by: null,
    },
  )
  await notifyOwners(deps, trx, ownedIds, people, { isSuspended: false, reason })
}
