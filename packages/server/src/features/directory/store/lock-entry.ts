import type { EmojiId } from '@emojid/core'
import { transact } from '../../../platform/database/database.ts'
import type { Principal } from '../../operations/access/access.ts'
import { loadEntries } from './load-entries.ts'
import { lockEntry } from './repository.ts'
import { showEntry } from './rules.ts'
import type { LockBody, StoreKey } from './schema.ts'
import type { Deps } from './store.ts'

export async function lockStoreEntry(
  deps: Deps,
  caller: Principal,
  id: EmojiId,
  key: StoreKey,
  body: LockBody,
): Promise<string> {
  const { db, emojiIds, now, audit } = deps
  const end = body.locked_future_writes_at
  const lock = {
    is_locked: body.is_locked,
    locked_future_writes_at: end ? new Date(end) : null,
  }
  await transact(db, async (trx) => {
    const ownedId = await emojiIds.loadIdToChange(trx, id)
    await lockEntry(trx, id, key, lock, now())
    const details = {
      emoji_id: id,
      key,
      ...lock,
      ...(body.reason ? { reason: body.reason } : {}),
    }
    await audit.writeEntry(trx, 'store.locked', {
      actor_id: caller.user_id,
      subject_id: ownedId.user_id,
      details,
    })
  })
  const [entry] = await loadEntries(deps, id, [key])
  return entry ? showEntry(entry) : '{}'
}
