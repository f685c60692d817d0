import type { EmojiId } from '@emojid/core'
import { transact } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../tables.ts'
import type { Principal } from '../../operations/access/access.ts'
import type { OwnedId } from '../emoji-ids/emoji-ids.ts'
import type { Deps } from './delays.ts'
import * as delays from './repository.ts'
import * as rules from './rules.ts'
import type { Lock } from './schema.ts'
import { settleChanges } from './settle-change.ts'

export async function showLockTo(
  { records, now, emojiIds }: Deps,
  trx: Transaction,
  caller: Principal,
  ownedId: OwnedId,
): Promise<Lock> {
  const id = ownedId.emoji_id as EmojiId
  const { lock, waiting } = await delays.findStanding(trx, id)
  // Only a waiting change is shown with records.
  const { records: current } = waiting ? await records.loadRecords(trx, id) : { records: [] }
  return rules.showLock(lock, waiting, {
    reader: caller.user_id,
    current,
    now: now(),
    people: await emojiIds.findPeopleBehind(trx, ownedId),
  })
}

export async function loadSettled(deps: Deps, trx: Transaction, caller: Principal, id: EmojiId) {
  const { emojiIds } = deps
  const ownedId = await emojiIds.loadIdToWrite(trx, caller, id)
  await settleChanges(deps, trx, ownedId)
  return ownedId
}

export async function showLock(deps: Deps, caller: Principal, id: EmojiId): Promise<Lock> {
  const { db } = deps
  return transact(db, async (trx) =>
    showLockTo(deps, trx, caller, await loadSettled(deps, trx, caller, id)),
  )
}
