import type { Sealer } from '../../../platform/crypto/seal.ts'
import type { Database } from '../../../tables.ts'
import * as repository from './repository.ts'
import * as rules from './rules.ts'

const deletedAtOnce = 1_000

/** Deletes deliveries after 30 days, in batches. */
export async function purgeDeliveries(db: Database, at: Date): Promise<void> {
  const before = rules.startOfRetention(at)
  let deletedCount = deletedAtOnce
  while (deletedCount === deletedAtOnce) {
    deletedCount = await repository.deleteOldDeliveries(db, before, deletedAtOnce)
  }
}

/** Rewraps every secret with the current master key; returns how many. */
export const rewrapWebhooks = (db: Database, sealer: Sealer): Promise<number> =>
  repository.rewrap(db, rules.rewrapping(sealer))
