import { type EmojiId, merkleRoot, signedMessage, signingDomain } from '@emojid/core'
import { transact } from '../../../platform/database/database.ts'
import { currentNetwork } from '../../../platform/request-id.ts'
import type { Principal } from '../../operations/access/access.ts'
import { isTheirs, type OwnedId } from '../emoji-ids/emoji-ids.ts'
import type { KeptRecord } from '../records/records.ts'
import type { Deps } from './edits.ts'
import * as rules from './rules.ts'
import { loadCurrentRecords, saveEdit } from './save-edit.ts'
import type { Edit } from './schema.ts'

/**
 * Every edit reads, signs and stores all records of the id: 8 ms of CPU without any, twice that and
 * 80 kB of history with 200.
 */
export const costOfEdit = 25

type EditAnswer = { changed: string[]; changes_at: Date | undefined }

/** Returns the ids that changed, and when delayed changes take effect. */
export async function editRecords(
  deps: Deps,
  caller: Principal,
  id: EmojiId,
  edit: Edit,
): Promise<EditAnswer> {
  const { db, emojiIds, budget, delays } = deps
  const { insert = [], delete: removedHashes = [], order = [] } = edit
  const cost = costOfEdit + insert.length + removedHashes.length + order.length
  budget.spend(currentNetwork(), cost)
  const checkedEdit = rules.readEdit(id, edit)
  return transact(db, async (trx) => {
    const ownedId = await emojiIds.loadIdToWrite(trx, caller, id)
    // Before the records are read, so that a refused edit counts too. Asks again: concurrent edits have
    // taken their part meanwhile.
    const read = await delays.findStanding(trx, id)
    const readCost = rules.readCost(read.record_bytes)
    budget.spend(currentNetwork(), readCost)
    const current = await loadCurrentRecords(deps, trx, ownedId, read)
    const after = rules.applyEdit(current.records, checkedEdit)
    budget.take(currentNetwork(), Math.max(0, rules.storageCost(after) - readCost))
    const signature = verifyEditSignature(deps, ownedId, after, edit)
    const isUnchanged = signature?.signature === current.signature
    const change = {
      before: current.records,
      current,
      after,
      actor_id: caller.user_id,
      by_operator: !isTheirs(caller, ownedId),
      reason: edit.reason,
      inserted: checkedEdit.insert,
      removed: checkedEdit.remove,
      isOrdered: checkedEdit.order !== undefined,
      standing: current.standing,
    }
    const outcome = await saveEdit(deps, trx, ownedId, change, isUnchanged ? undefined : signature)
    return { changed: outcome.isChanged ? [id] : [], changes_at: outcome.changes_at }
  })
}

/** The owner's signature and Merkle root must match the records after the edit. */
function verifyEditSignature(
  { keys }: Deps,
  ownedId: OwnedId,
  after: readonly KeptRecord[],
  edit: Edit,
) {
  if (edit.merkle_root === undefined && edit.signature === undefined) return undefined
  const root = merkleRoot(after.map(({ hash }) => hash))
  if (edit.merkle_root !== undefined && edit.merkle_root.toLowerCase() !== root) {
    throw rules.wrongRoot()
  }
  if (edit.signature === undefined) return undefined
  const signature = rules.readSignature(edit.signature)
  const message = signedMessage(ownedId.emoji_id as EmojiId, root)
  const isRight =
    ownedId.pubkey && keys.isSignedBy(ownedId.pubkey, signingDomain, message, signature)
  if (!isRight) throw rules.wrongSignature()
  return signature
}
