import type { Sealer } from '../../../platform/crypto/seal.ts'
import type { Database } from '../../../tables.ts'
import * as entries from './repository.ts'

/** Rewraps every claim link with the current master key; returns how many. */
export const rewrapClaims = (db: Database, sealer: Sealer): Promise<number> =>
  entries.rewrap(db, (id, sealedText) => sealer.rewrap(sealedText, placeOf(id)))

/** Binds a sealed text to its row. */
export const placeOf = (id: string): string => `refund claim ${id}`
