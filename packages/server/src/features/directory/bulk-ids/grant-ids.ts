import { ALPHABET_VERSION } from '@emojid/core'
import type { OptionalReasonBody } from '../../../platform/http/api/schemas.ts'
import type { Transaction } from '../../../tables.ts'
import type { Principal } from '../../operations/access/access.ts'
import { heldId } from '../emoji-ids/emoji-ids.ts'
import { auditedChange } from '../records/records.ts'
import type { Deps } from './bulk-ids.ts'
import type * as rules from './rules.ts'

export type PlacedRow = { place: number; row: rules.ReadRow }

export type Grantable = PlacedRow & { holder: rules.Holder }

/**
 * Grants available ids in one statement. Returns a function that reads the outcome of a row:
 * undefined if the id is already owned.
 */
export async function grantIds(
  { emojiIds, records, audit }: Deps,
  trx: Transaction,
  { user_id }: Principal,
  grants: readonly Grantable[],
  reasonPart: OptionalReasonBody,
) {
  const rows = grants.map(({ row: { id, display_format }, holder: { pubkey } }) => ({
    emoji_id: id,
    display_format,
    generation: ALPHABET_VERSION,
    pubkey,
  }))
  const { newIds, buying } = await emojiIds.giveIds(trx, rows, user_id)
  const newGrants = grants.filter(({ row }) => newIds.has(row.id))
  const firsts = newGrants.flatMap(({ row: { id, records: newRecords }, holder: { pubkey } }) =>
    newRecords && newRecords.length > 0 ? [{ id, pubkey, records: newRecords }] : [],
  )
  const versions = await records.saveFirstRecords(trx, firsts, user_id)
  const grantedIds = newGrants.map(({ row: { id: emoji_id, records: newRecords }, holder }) => ({
    subject_id: holder.user_id,
    version: versions.get(emoji_id),
    emoji_id,
    pubkey: holder.pubkey,
    inserted: newRecords ?? [],
  }))
  await audit.writeEntries(
    trx,
    'emoji_id.granted',
    user_id,
    grantedIds.map(({ subject_id, emoji_id, pubkey }) => ({
      subject_id,
      details: { emoji_id, pubkey, imported: true, ...reasonPart },
    })),
  )
  await audit.writeEntries(
    trx,
    'records.changed',
    user_id,
    grantedIds.flatMap(({ subject_id, emoji_id, version, inserted }) =>
      version === undefined
        ? []
        : [
            {
              subject_id,
              details: {
                emoji_id,
                version,
                ...auditedChange({ inserted, removed: [] }),
                ...reasonPart,
              },
            },
          ],
    ),
  )
  for (const { row } of newGrants) emojiIds.announceAfterCommit(trx, row.id)
  return ({ id, records: newRecords }: rules.ReadRow): rules.Outcome | undefined => {
    if (newIds.has(id)) return { status: 'granted', added: newRecords ?? [] }
    return buying.has(id) ? heldId(id) : undefined
  }
}
