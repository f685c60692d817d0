import type { Kysely, Transaction } from 'kysely'
import { transact } from '../database/database.ts'
import { isMarked, markSeeded, type Tables } from './repository.ts'

/** Demonstration data of one feature, written once per database in one transaction. */
export type DemoSeed<All> = { name: string; write(trx: Transaction<All>): Promise<void> }

const mark = 'demonstration'

/**
 * Writes the missing seeds, so that a new version adds its seeds to an old demonstration. Seeds
 * have known secrets, so only databases created by a demonstration get them.
 */
export async function seedDemo<All extends Tables>(
  db: Kysely<All>,
  seeds: readonly DemoSeed<All>[],
  isNew: boolean,
): Promise<string[]> {
  const seeded = db as unknown as Kysely<Tables>
  if (isNew) await markSeeded(seeded, mark)
  if (!(await isMarked(seeded, mark))) return []
  const writtenIds: string[] = []
  for (const seed of seeds) {
    await transact(db, async (trx) => {
      if (!(await markSeeded(trx as unknown as Kysely<Tables>, seed.name))) return
      await seed.write(trx)
      writtenIds.push(seed.name)
    })
  }
  return writtenIds
}
