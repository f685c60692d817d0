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

/** Suspends one id. A second suspension changes nothing. */
export function suspendId(
  deps: Deps,
  caller: Principal,
  id: EmojiId,
  reason: string,
): Promise<SuspensionState> {
  const { db, emojiIds } = deps
  return transact(db, async (trx) => {
    const ownedId = await emojiIds.loadIdToChange(trx, id)
    await holdCaller(trx, caller)
    await suspendLockedId(deps, trx, caller, ownedId, reason)
    return showState(await emojiIds.loadIdToChange(trx, id))
  })
}

/** Suspends an id that the caller's transaction has locked. */
export async function suspendLockedId(
  deps: Deps,
  trx: Transaction,
  caller: Principal,
  ownedId: OwnedId,
  reason: string,
): Promise<void> {
  if (ownedId.suspended_at && !ownedId.suspended_with_owner) return
  rules.assertNotOwnId(caller, ownedId)
  const by = { actor_id: caller.user_id, reason }
  // The own suspension of an id outlasts that of its owner.
  if (ownedId.suspended_at) return suspendAgain(deps, trx, ownedId, by)
  const people = await deps.emojiIds.findPeopleBehind(trx, ownedId)
  await suspendIds(deps, trx, [ownedId], { ...by, people, withUser: null })
}

/**
 * Suspends the ids of a user whose account is being deactivated, also those of organizations without
 * another active power role. The caller has locked the organizations.
 */
export async function suspendIdsOfUser(
  deps: Deps,
  trx: Transaction,
  user_id: string,
  by: { actor_id: string; reason: string },
): Promise<void> {
  const { emojiIds } = deps
  const ownedIds = await emojiIds.lockIdsOfUser(trx, user_id)
  const open = ownedIds.filter(({ suspended_at }) => !suspended_at)
  if (open.length > 0) {
    await suspendIds(deps, trx, open, { ...by, people: [user_id], withUser: user_id })
  }
}

type SuspensionReason = {
  actor_id: string
  reason: string
  people: readonly string[]
  /** The person with whose account they are suspended. */
  withUser: string | null
}

async function suspendIds(
  deps: Deps,
  trx: Transaction,
  ownedIds: readonly OwnedId[],
  by: SuspensionReason,
) {
  const { emojiIds, now } = deps
  const { actor_id, reason, people, withUser } = by
  await announceSuspension(deps, trx, { owned: ownedIds, isSuspended: true, actor_id, reason })
  const suspension = {
    suspended_at: now(),
    suspension_reason: reason,
    suspended_with_owner: withUser !== null,
    suspended_with_user: withUser,
    suspended_by: actor_id,
  }
  await emojiIds.setSuspension(
    trx,
    ownedIds.map(({ emoji_id }) => emoji_id),
    suspension,
  )
  await notifyOwners(deps, trx, ownedIds, people, { isSuspended: true, reason })
}

async function suspendAgain(
  { emojiIds, audit }: Deps,
  trx: Transaction,
  { emoji_id, suspended_at, user_id }: OwnedId,
  { actor_id, reason }: Pick<SuspensionReason, 'actor_id' | 'reason'>,
) {
  const suspension = {
    suspended_at,
    suspension_reason: reason,
    suspended_with_owner: false,
    suspended_with_user: null,
    suspended_by: actor_id,
  }
  await emojiIds.setSuspension(trx, [emoji_id], suspension)
  const noted = { actor_id, subject_id: user_id, details: { emoji_id, reason } }
  await audit.writeEntry(trx, 'emoji_id.suspended', noted)
}
