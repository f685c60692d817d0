import { type EmojiId, merkleRoot } from '@emojid/core'
import { transact } from '../../../platform/database/database.ts'
import type { Principal } from '../../operations/access/index.ts'
import { isTheirs, type OwnedId } from '../emoji-ids/index.ts'
import { type KeptRecord, signedMessage, signingDomain } from '../records/index.ts'
import type { Deps } from './deps.ts'
import * as rules from './rules.ts'
import { loadCurrentRecords, saveEdit } from './save-edit.ts'
import type { Edit } from './schema.ts'

type EditAnswer = { changed: string[]; changes_at: Date | undefined }

/** Returns the ids that changed, and when delayed changes take effect. */
export async function editRecords(
  deps: Deps,
  caller: Principal,
  id: EmojiId,
  edit: Edit,
): Promise<EditAnswer> {
  const { db, emojiIds } = deps
  const checked = rules.readEdit(id, edit)
  return transact(db, async (trx) => {
    const owned = await emojiIds.loadIdToWrite(trx, caller, id)
    const current = await loadCurrentRecords(deps, trx, owned)
    const after = rules.applyEdit(current.records, checked)
    const signature = verifyEditSignature(deps, owned, after, edit)
    const isThere = signature?.signature === current.signature
    const change = {
      before: current.records,
      after,
      actor_id: caller.user_id,
      by_operator: !isTheirs(caller, owned),
      reason: edit.reason,
      inserted: checked.insert,
      removed: checked.remove,
      isOrdered: checked.order !== undefined,
      standing: current.standing,
    }
    const outcome = await saveEdit(deps, trx, owned, change, isThere ? undefined : signature)
    return { changed: outcome.isChanged ? [id] : [], changes_at: outcome.changes_at }
  })
}

/** The owner's signature and Merkle root must match the records after the edit. */
function verifyEditSignature(
  { keys }: Deps,
  owned: OwnedId,
  after: readonly KeptRecord[],
  edit: Edit,
) {
  const root = merkleRoot(after.map(({ hash }) => hash))
  if (edit.merkle_root !== undefined && edit.merkle_root.toLowerCase() !== root) {
    throw rules.wrongRoot()
  }
  if (edit.signature === undefined) return undefined
  const signature = rules.readSignature(edit.signature)
  const message = signedMessage(owned.emoji_id as EmojiId, root)
  const isRight = owned.pubkey && keys.isSignedBy(owned.pubkey, signingDomain, message, signature)
  if (!isRight) throw rules.wrongSignature()
  return signature
}
