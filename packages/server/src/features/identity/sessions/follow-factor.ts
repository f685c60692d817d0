import type { Transaction } from '../../../tables.ts'
import type { Principal } from '../../operations/access/index.ts'
import type { Deps } from './deps.ts'
import * as sessions from './repository.ts'

/** A new second factor counts as given in the session that set it up; all other sessions owe a code. */
export async function demandCodeElsewhere(
  { now }: Deps,
  trx: Transaction,
  { user_id, session_id }: Principal,
): Promise<void> {
  if (session_id === null) return
  await sessions.demoteOthers(trx, user_id, session_id)
  await sessions.settle(trx, session_id, now())
}

/** Without a second factor no session waits for a code or has given one. */
export async function forgetCodes({ now }: Deps, trx: Transaction, user_id: string): Promise<void> {
  await sessions.endPending(trx, user_id, now())
  await sessions.forgetCodes(trx, user_id)
}
