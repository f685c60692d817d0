import type { EmojiId } from '@emojid/core'
import type { OptionalReasonBody } from '../../../platform/http/api/schemas.ts'
import { currentNetwork } from '../../../platform/request-id.ts'
import type { Transaction } from '../../../tables.ts'
import type { Principal } from '../../operations/access/access.ts'
import { isTheirs, type OwnedId } from '../emoji-ids/emoji-ids.ts'
import { isAddress, type KeptRecord, recordsOnlyIn } from '../records/records.ts'
import { costOfEdit } from './edit-records.ts'
import type { Deps } from './edits.ts'
import * as rules from './rules.ts'
import { type EditOutcome, loadCurrentRecords, saveEdit } from './save-edit.ts'
import type { NewRecord } from './schema.ts'

/** Replaces the records that belong to one store entry. */
export async function replaceLinkedRecords(
  deps: Deps,
  trx: Transaction,
  caller: Principal,
  ownedId: OwnedId,
  { key, linked, reason }: OptionalReasonBody & { key: string; linked: readonly NewRecord[] },
): Promise<void> {
  deps.budget.spend(currentNetwork(), costOfEdit + linked.length)
  const id = ownedId.emoji_id as EmojiId
  const { records: before, standing } = await loadCurrentRecords(deps, trx, ownedId)
  const checkedEdit = rules.readLinked(id, key, { before, linked })
  const after = rules.applyEdit(before, checkedEdit)
  deps.budget.spend(currentNetwork(), rules.storageCost(after))
  await saveEdit(deps, trx, ownedId, {
    before,
    after,
    actor_id: caller.user_id,
    by_operator: !isTheirs(caller, ownedId),
    reason,
    inserted: checkedEdit.insert,
    removed: checkedEdit.remove,
    standing,
  })
}

type Replacement = OptionalReasonBody & {
  before: readonly KeptRecord[]
  records: readonly KeptRecord[]
  /** The records are all that the id shall have; else each category that they name is replaced. */
  isWhole: boolean
}

/** Replaces all records of an id, or some of its categories. */
export async function replaceRecords(
  deps: Deps,
  trx: Transaction,
  caller: Principal,
  ownedId: OwnedId,
  { before, records: newRecords, isWhole, reason }: Replacement,
): Promise<EditOutcome & { added: readonly KeptRecord[]; removed: readonly KeptRecord[] }> {
  const { delays, emojiIds, records } = deps
  emojiIds.assertChangeable(ownedId)
  const standing = await delays.settleChanges(trx, ownedId)
  const current = standing.isChanged
    ? (await records.loadRecords(trx, ownedId.emoji_id as EmojiId)).records
    : before
  const change = rules.changeTo(
    current,
    isWhole ? newRecords : rules.replaceCategories(current, newRecords),
  )
  const outcome = await saveEdit(deps, trx, ownedId, {
    ...change,
    isOrdered: isWhole || newRecords.some(isAddress),
    standing,
    actor_id: caller.user_id,
    by_operator: !isTheirs(caller, ownedId),
    reason,
  })
  const { after, inserted: added } = change
  return { ...outcome, added, removed: recordsOnlyIn(current, after) }
}

/** Writes demonstration records as if their owner had written them. */
export async function writeDemoRecords(
  { emojiIds, records }: Deps,
  trx: Transaction,
  id: EmojiId,
  inputs: readonly NewRecord[],
): Promise<void> {
  const ownedId = await emojiIds.loadIdToChange(trx, id)
  const after = rules.readRecords(id, inputs)
  await records.saveRecords(trx, ownedId, { records: after, actor_id: null })
}
