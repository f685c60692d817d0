import type { EmojiId } from '@emojid/core'
import { transact } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../tables.ts'
import { holdCaller, type Principal } from '../../operations/access/access.ts'
import { announceAfterCommit, announceEmptied, announceFreed } from './announce-change.ts'
import { assertCanEnd } from './assert-can-leave.ts'
import type { Deps } from './emoji-ids.ts'
import type { Taker } from './grant-ids.ts'
import { assertChangeable, loadIdToChange } from './read-ids.ts'
import { recordStates } from './record-events.ts'
import * as ids from './repository.ts'
import { putOnList } from './reserve-ids.ts'
import * as rules from './rules.ts'
import type { Revocation } from './schema.ts'

/** Revokes an id after a refund. It rests, and a suspended one rests as long as a revoked one. */
export async function revokeId(
  deps: Deps,
  trx: Transaction,
  actor_id: string | null,
  ownedId: rules.OwnedId,
  until: Date,
) {
  const { now, restMs } = deps
  await takeIdAway(deps, trx, ownedId, { actor_id })
  const restEnd = ownedId.suspended_at ? now().getTime() + restMs : 0
  await ids.cool(trx, ownedId.emoji_id, new Date(Math.max(until.getTime(), restEnd)))
}

/** Releases an id for its owner. */
export async function releaseOwnId(deps: Deps, caller: Principal, id: EmojiId): Promise<void> {
  const { db, now, accounts, beforeRelease } = deps
  await transact(db, async (trx) => {
    const ownedId = await loadIdToChange(trx, id)
    await holdCaller(trx, caller)
    if (ownedId.user_id !== caller.user_id) throw rules.notYours()
    rules.assertMayWrite(caller, ownedId)
    assertChangeable(deps, ownedId)
    rules.assertNotBlocked(ownedId, now(), 'emoji_id')
    await accounts.assertSettledMailbox(trx, caller.user_id)
    for (const action of beforeRelease) await action(trx, ownedId)
    await releaseId(deps, trx, ownedId, { actor_id: caller.user_id })
  })
}

/** Revokes an id for an operator. It rests before it is for sale again, or is reserved for good. */
export function releaseAnyId(
  deps: Deps,
  caller: Principal,
  id: EmojiId,
  { reason, reserve = false }: Revocation,
): Promise<void> {
  const { db, now, restMs } = deps
  const at = now()
  return transact(db, async (trx) => {
    const ownedId = await loadIdToChange(trx, id)
    await holdCaller(trx, caller)
    const by = { actor_id: caller.user_id, ...(reason ? { reason } : {}) }
    await takeIdAway(deps, trx, ownedId, by)
    if (reserve) {
      const row = { pattern: id, reason: reason ?? rules.revokedReason }
      await putOnList(deps, trx, caller.user_id, [row])
    } else if (restMs > 0) await ids.cool(trx, id, new Date(at.getTime() + restMs))
    else await announceFreed(deps, trx, id)
  })
}

/** Also removes everything behind the id. */
async function takeIdAway(
  deps: Deps,
  trx: Transaction,
  ownedId: rules.OwnedId,
  { actor_id, reason }: Taker,
) {
  const { now, audit } = deps
  const id = ownedId.emoji_id as EmojiId
  rules.assertNotMinted(ownedId)
  assertCanEnd(ownedId, now(), 'emoji_id')
  await announceEmptied(deps, trx, id)
  await ids.remove(trx, id)
  announceAfterCommit(deps, trx, id)
  await recordStates(deps, trx, 'emoji_id.released', [ownedId])
  const details = { emoji_id: id, pubkey: ownedId.pubkey, reason }
  await audit.writeEntry(trx, 'emoji_id.released', {
    actor_id,
    subject_id: ownedId.user_id,
    details,
  })
}

async function releaseId(deps: Deps, trx: Transaction, ownedId: rules.OwnedId, by: Taker) {
  await takeIdAway(deps, trx, ownedId, by)
  await announceFreed(deps, trx, ownedId.emoji_id as EmojiId)
}
