import { type EmojiId, merkleRoot, signedMessage, signingDomain } from '@emojid/core'
import { transact } from '../../../platform/database/database.ts'
import { addJob } from '../../../platform/jobs/jobs.ts'
import { hourMs } from '../../../platform/time.ts'
import type { Transaction } from '../../../tables.ts'
import { assertNotSuspended, type OwnedId } from '../emoji-ids/emoji-ids.ts'
import { changedTags } from './compare-records.ts'
import { type LoadedRecords, loadRecords } from './read-records.ts'
import type { Deps } from './records.ts'
import {
  findReducible,
  insertRecordSets,
  reduceStates,
  removeStatesBefore,
  saveRecordSet,
} from './repository.ts'
import { fullStates, type KeptRecord, toRow, undoableMs } from './rules.ts'
import type { Record as StoredRecord } from './schema.ts'

type SavedRecords = {
  records: readonly KeptRecord[]
  /** The records that they replace, if this transaction has loaded them under the lock of the id. */
  current?: Pick<LoadedRecords, 'set'> | undefined
  actor_id: string | null
  /** Such a change cannot be undone by an emailed link. */
  by_operator?: boolean
  /** The version whose addresses this change restores. */
  undoes?: number
  /** The owner before a transfer; the event is then a transfer. */
  former?: Pick<OwnedId, 'user_id' | 'organization_id'>
  /** Made by the owner. Without it, the service signs if it stores the key. */
  signature?: { nonce: string; signature: string }
}

type FirstRecords = { id: EmojiId; pubkey: string; records: readonly KeptRecord[] }

/**
 * Replaces all records of an id. The service signs them if it stores the key. Returns the version.
 */
export async function saveRecords(
  { keys, now, emojiIds, events }: Deps,
  trx: Transaction,
  ownedId: OwnedId,
  savedRecords: SavedRecords,
): Promise<number> {
  assertNotSuspended(ownedId)
  const id = ownedId.emoji_id as EmojiId
  const { pubkey } = ownedId
  const merkle_root = merkleRoot(savedRecords.records.map(({ hash }) => hash))
  const message = signedMessage(id, merkle_root)
  const { set: before } = savedRecords.current ?? (await loadRecords(trx, id))
  const signatures =
    savedRecords.signature ??
    (pubkey ? await keys.signText(trx, pubkey, signingDomain, message) : undefined) ??
    findSignature(before, { pubkey, merkle_root })
  const set = {
    emoji_id: id,
    ...toRow(savedRecords.records),
    merkle_root,
    signer: signatures ? pubkey : null,
    nonce: signatures?.nonce ?? null,
    signature: signatures?.signature ?? null,
  }
  const { actor_id, by_operator = false, undoes = null } = savedRecords
  const occasion = { changed_at: now(), actor_id, by_operator, undoes }
  const { version, reducible_at } = await saveRecordSet(trx, set, occasion, fullStates)
  await reduceOldStates(trx, id, reducible_at, now())
  emojiIds.announceAfterCommit(trx, id)
  const { user_id, organization_id } = ownedId
  const { former } = savedRecords
  await events.recordEvent(trx, {
    type: former ? 'emoji_id.transferred' : 'emoji_id.records_changed',
    emoji_id: id,
    data: {
      version,
      tags: changedTags((before?.records ?? []) as StoredRecord[], savedRecords.records),
    },
    audience: [{ user_id, organization_id }, ...(former ? [former] : [])],
  })
  return version
}

/**
 * Only the newest states keep their records. Younger ones than an undo link keep them too, so that a
 * thief's many edits cannot disable the links; a job reduces those later.
 */
async function reduceOldStates(
  trx: Transaction,
  id: EmojiId,
  reducible_at: Date | null,
  now: Date,
): Promise<void> {
  if (!reducible_at) return
  const before = new Date(now.getTime() - undoableMs)
  if (reducible_at < before) return void (await reduceStates(trx, id, fullStates, before))
  const hour = Math.floor(now.getTime() / hourMs)
  const run_at = new Date((hour + 1) * hourMs + undoableMs)
  await addJob(trx, reduceTask, { id }, { key: `${reduceTask} ${id} ${hour}`, run_at })
}

export const reduceStatesOf = ({ db, now }: Deps, id: EmojiId): Promise<void> =>
  transact(db, async (trx) =>
    reduceOldStates(trx, id, await findReducible(trx, id, fullStates), now()),
  )

export const reduceTask = 'records.reduce'

/** The owner's signature of the same records, which another order does not change. */
function findSignature(
  set: LoadedRecords['set'],
  subject: { pubkey: string | null; merkle_root: string },
) {
  const { signer, nonce, signature, merkle_root } = set ?? {}
  const isSame = signer === subject.pubkey && merkle_root === subject.merkle_root
  return isSame && signer && nonce && signature ? { nonce, signature } : undefined
}

/** Saves the first records of new ids; returns their versions. */
export async function saveFirstRecords(
  { keys, now, emojiIds, events }: Deps,
  trx: Transaction,
  firsts: readonly FirstRecords[],
  actor_id: string,
) {
  const sets = firsts.map(({ id, pubkey, records }) => {
    const merkle_root = merkleRoot(records.map(({ hash }) => hash))
    const set = { emoji_id: id, ...toRow(records), merkle_root }
    return { set, pubkey, message: signedMessage(id, merkle_root) }
  })
  const signatures = await keys.signTexts(trx, signingDomain, sets)
  const signedSets = sets.map(({ set, pubkey }, place) => {
    const signature = signatures[place]
    const by = { signer: signature ? pubkey : null, nonce: signature?.nonce ?? null }
    return { ...set, ...by, signature: signature?.signature ?? null }
  })
  const saved = await insertRecordSets(trx, signedSets, { changed_at: now(), actor_id })
  const versions = new Map(saved.map(({ emoji_id, version }) => [emoji_id, version]))
  const owners = await emojiIds.findOwners(
    trx,
    firsts.map(({ id }) => id),
  )
  await events.recordEvents(
    trx,
    firsts.map(({ id, records }) => {
      const { user_id, organization_id } = owners.get(id) ?? {}
      return {
        type: 'emoji_id.records_changed',
        emoji_id: id,
        data: { version: versions.get(id), tags: changedTags([], records) },
        audience: [{ user_id, organization_id }],
      }
    }),
  )
  return versions
}

/**
 * Transfers the records to a new owner, or clears them. Signs them with the new key and removes
 * earlier versions, so that no undo reaches back.
 */
export async function transferRecords(
  deps: Deps,
  trx: Transaction,
  { owned, former }: { owned: OwnedId; former: OwnedId },
  actor_id: string,
  isCleared: boolean,
) {
  const id = owned.emoji_id as EmojiId
  const current = await loadRecords(trx, id)
  const records = isCleared ? [] : current.records
  const version = await saveRecords(deps, trx, owned, { records, current, actor_id, former })
  await removeStatesBefore(trx, id, version)
}
