import type { Transaction } from '../../tables.ts'
import type { Deps } from './lootboxes.ts'
import type { Box } from './repository.ts'

export function auditLootbox(
  { audit }: Deps,
  trx: Transaction,
  event: 'created' | 'changed' | 'deleted' | 'opened',
  actor_id: string,
  { id, status, owner_id, seed_hash }: Box,
  more: { former_owner_id?: string | null; reason?: string | undefined } = {},
) {
  const details = { lootbox_id: id, status, seed_hash, ...more }
  return audit.writeEntry(trx, `lootbox.${event}`, { actor_id, subject_id: owner_id, details })
}
