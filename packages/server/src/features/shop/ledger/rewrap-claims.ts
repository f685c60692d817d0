import type { Sealer } from '../../../platform/crypto/seal.ts'
import type { Database } from '../../../tables.ts'
import * as entries from './repository.ts'

/** Wraps every claim with the current master key. Answers how many it was. */
export const rewrapClaims = (db: Database, sealer: Sealer): Promise<number> =>
  entries.rewrap(db, (id, sealed) => sealer.rewrap(sealed, placeOf(id)))

/** Sealed for its own row alone. */
export const placeOf = (id: string): string => `refund claim ${id}`
