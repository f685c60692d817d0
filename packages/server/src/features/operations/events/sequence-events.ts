import { randomBytes } from 'node:crypto'
import { transactOutsideRequest } from '../../../platform/database/database.ts'
import type { Database, Transaction } from '../../../tables.ts'
import type { Options } from './events.ts'
import {
  findLastCursor,
  findOldestUnnumbered,
  hasUnnumbered,
  lockSequence,
  numberEvents,
  setLastNumber,
  updateEpoch,
} from './repository.ts'
import type { Cursor } from './rules.ts'

const numberedAtOnce = 1_000

/**
 * Gives committed events their numbers, in the order of insertion. The lock of the sequence row lets
 * one process at a time do this, so numbers are read in the order in which they are committed.
 * Returns false if another process does it now.
 */
export async function sequenceEvents(
  { db }: Pick<Options, 'db'>,
  sequencer = '',
): Promise<boolean> {
  while (await hasUnnumbered(db)) {
    if (!(await numberBatch(db, sequencer))) return false
  }
  return true
}

/** The cursor after all events committed before, numbered or not: a reader without cursor starts here. */
export async function readCursorOfNow({ db }: Options): Promise<Cursor> {
  if (await hasUnnumbered(db)) await numberBatch(db, '', true)
  return findLastCursor(db)
}

/** Returns false if another process numbers events now and the caller does not wait. */
const numberBatch = (db: Database, sequencer: string, wait = false): Promise<boolean> =>
  transactOutsideRequest(db, async (trx: Transaction) => {
    const last_number = await lockSequence(trx, wait)
    if (last_number === undefined) return false
    const tag = randomBytes(4).toString('hex')
    const batch = { last_number, tag, limit: numberedAtOnce }
    const count = await numberEvents(trx, batch)
    if (count > 0) await setLastNumber(trx, last_number + count, sequencer)
    return true
  })

/** Ends all cursors: after a restore, clients may know a later state than the database. */
export const beginEpoch = (db: Database): Promise<void> =>
  updateEpoch(db, randomBytes(4).toString('hex'))

/** The age of the oldest event without a number, in seconds. */
export async function readSequencerLag({ db, now }: Options): Promise<number> {
  const oldest = await findOldestUnnumbered(db)
  return oldest ? Math.max(0, now().getTime() - oldest.getTime()) / 1_000 : 0
}
