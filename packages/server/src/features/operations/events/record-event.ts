import type { Transaction } from '../../../tables.ts'
import type { Deps } from './events.ts'
import { insertEvents } from './repository.ts'
import { type NewEvent, toRow } from './rules.ts'

const rowsPerStatement = 1_000

/**
 * Writes events in the transaction of their cause. The caller holds the lock of the id, so that the
 * events of one id are inserted in the order of their commits.
 */
export async function recordEvents(
  { now }: Deps,
  trx: Transaction,
  events: readonly NewEvent[],
): Promise<void> {
  const at = now()
  for (let start = 0; start < events.length; start += rowsPerStatement) {
    const part = events.slice(start, start + rowsPerStatement)
    await insertEvents(
      trx,
      part.map((event) => toRow(event, at)),
    )
  }
}

export const recordEvent = (deps: Deps, trx: Transaction, event: NewEvent): Promise<void> =>
  recordEvents(deps, trx, [event])
