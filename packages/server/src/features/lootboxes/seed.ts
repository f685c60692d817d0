import type { Sealer } from '../../platform/crypto/seal.ts'
import type { Database } from '../../tables.ts'
import type { Deps } from './lootboxes.ts'
import type { Box } from './repository.ts'
import * as boxes from './repository.ts'

export const openSeed = ({ sealer }: Deps, { id, sealed_seed }: Box): Buffer =>
  sealer.open(sealed_seed, seedContext(id))

/** Reveals the seed of an opened box. */
export const revealSeed = (deps: Deps, box: Box) =>
  box.status === 'Used' ? openSeed(deps, box).toString('hex') : null

/** Rewraps every seed with the current master key; returns how many. */
export const rewrapLootboxes = (db: Database, sealer: Sealer): Promise<number> =>
  boxes.rewrap(db, (id, sealedText) => sealer.rewrap(sealedText, seedContext(id)))

/** Binds a sealed seed to its row. */
export const seedContext = (id: string): string => `lootbox seed ${id}`
