import type { Transaction } from '../../../tables.ts'
import { auditTransfer } from './audit-transfer.ts'
import { closeTransfer } from './close-transfer.ts'
import type { Transfer } from './repository.ts'
import * as transfers from './repository.ts'
import * as rules from './rules.ts'
import type { Deps } from './transfers.ts'

/** Counts a wrong code; the last try closes the transfer. Returns whether it did. */
export async function countWrongCode(
  deps: Deps,
  trx: Transaction,
  transfer: Transfer,
  actor_id: string,
) {
  await auditTransfer(deps, trx, 'transfer.code_given', transfer, { actor_id, result: 'refused' })
  const tries = transfer.tries + 1
  const isOver = tries >= rules.triesAtMost
  if (isOver) await closeTransfer(deps, trx, transfer, 'wrong_codes', { actor_id: null })
  else await transfers.update(trx, { id: transfer.id, from: transfer.status }, { tries })
  return isOver
}

/**
 * Moves a transfer to its next state. The update is conditional on the current state, so that only
 * one of two concurrent requests wins.
 */
export async function advanceTransfer(
  trx: Transaction,
  transfer: Transfer,
  trigger: rules.Trigger,
  change: Partial<Omit<Transfer, 'id' | 'status'>>,
): Promise<Transfer> {
  const status = rules.nextStatus(transfer, trigger)
  const from = { id: transfer.id, from: transfer.status }
  const nextTransfer = await transfers.update(trx, from, { ...change, status })
  if (!nextTransfer) throw rules.notNow(transfer.status)
  return nextTransfer
}
