import type { EmojiId } from '@emojid/core'
import { transact } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../tables.ts'
import { assertFresh, type Principal } from '../../operations/access/access.ts'
import { isTheirs } from '../emoji-ids/emoji-ids.ts'
import { findEntry, putEntry } from './repository.ts'
import {
  assertPictureAddresses,
  assertShowable,
  assertUnchanged,
  assertUnlocked,
  isLocked,
  readData,
} from './rules.ts'
import type { StoreBody, StoreKey } from './schema.ts'
import type { Deps } from './store.ts'

/** Stores an entry as if the owner had written it, without an access check. */
export const putStoreEntry = (
  deps: Deps,
  trx: Transaction,
  id: EmojiId,
  key: StoreKey,
  data: unknown,
) => putAndAnnounce(deps, trx, id, key, readData(data))

/** Stores an entry of the service itself; returns false if the entry is locked. */
export async function putServiceEntry(
  { now }: Deps,
  trx: Transaction,
  id: EmojiId,
  key: StoreKey,
  data: unknown,
): Promise<boolean> {
  const entry = await findEntry(trx, id, key)
  if (entry && isLocked(entry, now())) return false
  await putEntry(trx, { emoji_id: id, key, data: readData(data) }, now())
  return true
}

/** Stores data under a key, and the records that belong to it, in one transaction. */
export async function writeStoreEntry(
  deps: Deps,
  caller: Principal,
  id: EmojiId,
  key: StoreKey,
  body: StoreBody,
): Promise<void> {
  const { db, emojiIds, now, edits, audit } = deps
  const data = readData(body.data)
  assertShowable(key, body.data)
  if (key === 'VisualizerFileLocations') assertPictureAddresses(body.data)
  const { linked_tags, if_updated_at, reason } = body
  if (linked_tags) assertFresh(caller, 'code_or_nothing_keys_too')
  await transact(db, async (trx) => {
    const ownedId = await emojiIds.loadIdToWrite(trx, caller, id)
    if (!isTheirs(caller, ownedId)) assertFresh(caller, 'code_or_nothing_keys_too')
    const entry = await findEntry(trx, id, key)
    assertUnlocked(entry, now())
    if (if_updated_at) assertUnchanged(entry?.updated_at ?? ownedId.created_at, if_updated_at)
    if (linked_tags) {
      await edits.replaceLinkedRecords(trx, caller, ownedId, {
        key,
        linked: linked_tags,
        ...(reason ? { reason } : {}),
      })
    }
    await putAndAnnounce(deps, trx, id, key, data)
    await audit.writeEntry(trx, 'store.changed', {
      actor_id: caller.user_id,
      subject_id: ownedId.user_id,
      details: { emoji_id: id, key, reason },
    })
  })
}

async function putAndAnnounce(
  { now, whenStored }: Deps,
  trx: Transaction,
  id: EmojiId,
  key: StoreKey,
  data: string,
) {
  await putEntry(trx, { emoji_id: id, key, data }, now())
  for (const action of whenStored) await action(trx, id, key)
}
