import type { EmojiId } from '@emojid/core'
import { toPage } from '../../../platform/http/paging.ts'
import type { Transaction } from '../../../tables.ts'
import type { Principal } from '../../operations/access/index.ts'
import { assertMayWrite, assertNotSuspended, UnregisteredError } from '../emoji-ids/index.ts'
import type { Deps } from './deps.ts'
import { findByOperators, findChanges, findHistory, findStates, findUndone } from './repository.ts'
import { showChange, withLinks } from './rules.ts'
import type { ChangeQuery, Record as StoredRecord } from './schema.ts'

const historyShown = 100

/** When the records changed, without their contents. */
export async function showHistory({ emojiIds, db }: Deps, id: EmojiId) {
  const ownedId = await emojiIds.findId(id)
  if (!ownedId) throw new UnregisteredError(id)
  assertNotSuspended(ownedId)
  return findHistory(db, id, historyShown)
}

/** Lists the changes, for the owners of the id only. */
export async function listChanges(
  { emojiIds, db }: Deps,
  caller: Principal,
  id: EmojiId,
  query: ChangeQuery,
) {
  const ownedId = await emojiIds.findId(id)
  if (!ownedId) throw new UnregisteredError(id)
  assertMayWrite(caller, ownedId)
  const people = await emojiIds.findPeopleBehind(db, ownedId)
  const { changes, total } = await findChanges(db, id, query)
  const views = changes.map((change) => showChange(change, caller.user_id, people))
  return toPage(views, total, query)
}

/** The records before and after one change; undefined if that version was deleted. */
export async function loadChange(trx: Transaction, id: EmojiId, version: number) {
  const [after, before] = (await findStates(trx, id, version)).map((state) => ({
    version: state.version,
    records: withLinks(state.records as StoredRecord[], state.linked),
  }))
  if (after?.version !== version) return undefined
  return { before: before?.records ?? [], after: after.records }
}

/** This version and later ones, if operators made them. */
export const findOperatorVersions = async (trx: Transaction, id: EmojiId, version: number) =>
  (await findByOperators(trx, id, version)).map((change) => change.version)

/** The versions up to this one that were undone after it. */
export const findUndoneVersions = async (trx: Transaction, id: EmojiId, version: number) =>
  (await findUndone(trx, id, version)).flatMap(({ undoes }) => undoes ?? [])
