import type { EmojiId } from '@emojid/core'
import { takeTurn } from '../../../platform/turns.ts'
import type { Transaction } from '../../../tables.ts'
import { assertNotSuspended, UnregisteredError } from '../emoji-ids/emoji-ids.ts'
import { countLookup, findEntry } from './answer-lookup.ts'
import { type Answer, proofOf } from './answers.ts'
import type { Deps } from './records.ts'
import { findRecordSet, findRecordSetsOf, findSignedSet } from './repository.ts'
import { type KeptRecord, withLinks } from './rules.ts'
import type { Record as StoredRecord } from './schema.ts'

export type LoadedRecords = Awaited<ReturnType<typeof loadRecords>>

/** The current records and their signature, within the transaction that changes them. */
export async function loadRecords(trx: Transaction, id: EmojiId) {
  const set = await findRecordSet(trx, id)
  const records = set ? withLinks(set.records as StoredRecord[], set.linked) : []
  return { records, signature: set?.signature ?? null, set }
}

/** The current records of many ids; ids without records are left out. */
export async function loadRecordsOfMany(
  trx: Transaction,
  ids: readonly EmojiId[],
): Promise<Map<string, KeptRecord[]>> {
  const sets = await findRecordSetsOf(trx, ids)
  return new Map(
    sets.map((set) => [set.emoji_id, withLinks(set.records as StoredRecord[], set.linked)]),
  )
}

/** The proof is read after the cache entry, so that it is never older than the entry. */
export async function proveRecords(deps: Deps, id: EmojiId, network?: string): Promise<Answer> {
  const { db } = deps
  const entry = await findEntry(deps, id)
  const preparedProof = entry.answers.get('proof')
  if (network !== undefined) countLookup(deps, network, entry, preparedProof !== undefined)
  if (preparedProof) return preparedProof
  const set = await findSignedSet(db, id)
  if (!set) throw new UnregisteredError(id)
  assertNotSuspended(set)
  const proof = await proofOf(id, set, takeTurn)
  entry.answers.put('proof', proof)
  return proof
}
