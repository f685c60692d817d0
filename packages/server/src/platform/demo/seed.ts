import type { Kysely, Transaction } from 'kysely'
import { transact } from '../database/database.ts'
import { isMarked, markSeeded, type Tables } from './repository.ts'

/** Demonstration data of one feature, written once per database in one transaction. */
export type DemoSeed<All> = { name: string; write(trx: Transaction<All>): Promise<void> }

const mark = 'demonstration'

/**
 * Marks a database that a demonstration creates, in the transaction that creates its tables: the
 * next start writes the seeds of a start that failed.
 */
export const demoCreationSql = `insert into demo_seeds (name) values ('${mark}')`

/**
 * Writes the missing seeds, so that a new version adds its seeds to an old demonstration. Seeds
 * have known secrets, so only databases created by a demonstration get them.
 */
export async function seedDemo<All extends Tables>(
  db: Kysely<All>,
  seeds: readonly DemoSeed<All>[],
): Promise<string[]> {
  if (!(await isMarked(db as unknown as Kysely<Tables>, mark))) return []
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
