import type { Sealer } from '../../../platform/crypto/seal.ts'
import type { Database } from '../../../tables.ts'
import type { Owner } from './key-limit.ts'
import * as keys from './repository.ts'
import * as rules from './rules.ts'

/** Wraps every private key with the current master key; returns how many. */
export async function rewrapKeys(db: Database, sealer: Sealer): Promise<number> {
  let count = 0
  for (const key of await keys.findSealed(db)) {
    const sealedText = key.sealed_private_key ?? ''
    const place = rules.placeOf(key.user_id ?? key.organization_id ?? '', key.pubkey)
    const rewrapped = sealer.rewrap(sealedText, place)
    if (rewrapped === sealedText) continue
    await keys.reseal(db, key.pubkey, sealedText, rewrapped)
    count++
  }
  return count
}

export const idOf = (owner: Owner): string =>
  'user_id' in owner ? owner.user_id : owner.organization_id
