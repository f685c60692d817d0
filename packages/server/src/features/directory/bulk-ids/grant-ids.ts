import { ALPHABET_VERSION } from '@emojid/core'
import type { MaybeWhy } from '../../../platform/http/schemas.ts'
import type { Transaction } from '../../../tables.ts'
import type { Principal } from '../../operations/access/index.ts'
import { held } from '../emoji-ids/index.ts'
import type { Deps } from './deps.ts'
import type * as rules from './rules.ts'

export type PlacedRow = { place: number; row: rules.ReadRow }

export type Grantable = PlacedRow & { holder: rules.Holder }

/**
 * Grants available ids in one statement. Returns a function that reads the outcome of a row:
 * undefined if the id is already owned.
 */
export async function grantIds(
  { emojiIds, now, records, audit }: Deps,
  trx: Transaction,
  { user_id }: Principal,
  wanted: readonly Grantable[],
  why: MaybeWhy,
) {
  const rows = wanted.map(({ row: { id, display_format }, holder: { pubkey } }) => ({
    emoji_id: id,
    display_format,
    generation: ALPHABET_VERSION,
    pubkey,
  }))
  const { given, buying } = await emojiIds.giveIds(trx, rows, user_id, now())
  const granted = wanted.filter(({ row }) => given.has(row.id))
  const firsts = granted.flatMap(({ row: { id, records: wished }, holder: { pubkey } }) =>
    wished && wished.length > 0 ? [{ id, pubkey, records: wished }] : [],
  )
  const versions = await records.saveFirstRecords(trx, firsts, user_id)
  const noted = granted.map(({ row: { id: emoji_id, records: wished }, holder }) => ({
    subject_id: holder.user_id,
    version: versions.get(emoji_id),
    emoji_id,
    pubkey: holder.pubkey,
    inserted: wished ?? [],
  }))
  await audit.writeEntries(
    trx,
    'emoji_id.granted',
    user_id,
    noted.map(({ subject_id, emoji_id, pubkey }) => ({
      subject_id,
      details: { emoji_id, pubkey, imported: true, ...why },
    })),
  )
  await audit.writeEntries(
    trx,
    'records.changed',
    user_id,
    noted.flatMap(({ subject_id, emoji_id, version, inserted }) =>
      version === undefined
        ? []
        : [{ subject_id, details: { emoji_id, version, inserted, removed: [], ...why } }],
    ),
  )
  for (const { row } of granted) emojiIds.announceAfterCommit(trx, row.id)
  return ({ id }: rules.ReadRow): rules.Outcome | undefined => {
    if (given.has(id)) return 'granted'
    return buying.has(id) ? held(id) : undefined
  }
}
