import type { Sealer } from '../../../platform/crypto/seal.ts'
import type { Database } from '../../../tables.ts'
import * as entries from './repository.ts'

/** Wraps every claim with the current master key; returns how many. */
export const rewrapClaims = (db: Database, sealer: Sealer): Promise<number> =>
  entries.rewrap(db, (id, sealed) => sealer.rewrap(sealed, placeOf(id)))

/** Bound to its row, so that the sealed text does not open in another one. */
export const placeOf = (id: string): string => `refund claim ${id}`
