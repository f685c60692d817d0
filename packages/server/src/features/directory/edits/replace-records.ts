import type { EmojiId } from '@emojid/core'
import type { OptionalReasonBody } from '../../../platform/http/schemas.ts'
import { currentNetwork } from '../../../platform/request-id.ts'
import type { Transaction } from '../../../tables.ts'
import type { Principal } from '../../operations/access/index.ts'
import { isTheirs, type OwnedId } from '../emoji-ids/index.ts'
import type { KeptRecord } from '../records/index.ts'
import type { Deps } from './deps.ts'
import { costs } from './limits.ts'
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
  const allowance = deps.limits.records
  allowance.spend(currentNetwork(), costs.edit + linked.length)
  const id = ownedId.emoji_id as EmojiId
  const { records: before, standing } = await loadCurrentRecords(deps, trx, ownedId)
  const checkedEdit = rules.readLinked(id, key, { before, linked })
  const after = rules.applyEdit(before, checkedEdit)
  allowance.spend(currentNetwork(), rules.storageCost(after))
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

/** Replaces all records of an id. */
export async function replaceAllRecords(
  deps: Deps,
  trx: Transaction,
  caller: Principal,
  ownedId: OwnedId,
  { before, after, reason }: OptionalReasonBody & Record<'before' | 'after', readonly KeptRecord[]>,
): Promise<EditOutcome> {
  const { delays, emojiIds, records } = deps
  emojiIds.assertChangeable(ownedId)
  const standing = await delays.settleChanges(trx, ownedId)
  const current = standing.isChanged
    ? (await records.loadRecords(trx, ownedId.emoji_id as EmojiId)).records
    : before
  return saveEdit(deps, trx, ownedId, {
    ...rules.changeTo(current, after),
    isOrdered: true,
    standing,
    actor_id: caller.user_id,
    by_operator: !isTheirs(caller, ownedId),
    reason,
  })
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
