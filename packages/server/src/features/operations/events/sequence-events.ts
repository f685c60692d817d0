import { randomBytes } from 'node:crypto'
import { transactOutsideRequest } from '../../../platform/database/database.ts'
import type { Options } from './events.ts'
import {
  beginEpoch,
  findOldestUnnumbered,
  hasUnnumbered,
  lockSequence,
  numberEvents,
  readPosition,
  setLastNumber,
} from './repository.ts'
import type { Position } from './rules.ts'

const numberedAtOnce = 1_000

/**
 * Gives committed events their numbers, in the order of insertion. The lock of the sequence row lets
 * one process at a time do this, so numbers are read in the order in which they are committed.
 */
export async function sequenceEvents(deps: Options): Promise<void> {
  const { db } = deps
  while (await hasUnnumbered(db)) await numberBatch(deps)
}

/** The position after all events committed before, numbered or not: a reader without cursor starts here. */
export async function readPositionOfNow(deps: Options): Promise<Position> {
  if (await hasUnnumbered(deps.db)) await numberBatch(deps)
  return readPosition(deps.db)
}

/** Begins a new epoch in a restored or promoted database, then numbers a batch. */
export async function numberBatch({ db, log }: Options): Promise<void> {
  await transactOutsideRequest(db, async (trx) => {
    const { place, current_place, last_number } = await lockSequence(trx)
    if (place !== current_place) {
      const epoch = randomBytes(4).toString('hex')
      await beginEpoch(trx, epoch, current_place)
      log.info({ epoch }, 'Cursors of events begin a new epoch')
    }
    const count = await numberEvents(trx, last_number, numberedAtOnce)
    if (count > 0) await setLastNumber(trx, last_number + count)
  })
}

/** The age of the oldest event without a number, in seconds. */
export async function readSequencerLag({ db, now }: Options): Promise<number> {
  const oldest = await findOldestUnnumbered(db)
  return oldest ? Math.max(0, now().getTime() - oldest.getTime()) / 1_000 : 0
}
