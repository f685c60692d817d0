import type { Transaction } from '../../../tables.ts'
import type { Principal } from '../../operations/access/access.ts'
import * as sessions from './repository.ts'
import type { Deps } from './sessions.ts'

/** Marks the session that set up the factor as fresh; all other sessions owe a code. */
export async function requireCodeElsewhere(
  { now }: Deps,
  trx: Transaction,
  { user_id, session_id }: Principal,
): Promise<void> {
  if (session_id === null) return
  await sessions.demoteOthers(trx, user_id, session_id)
  await sessions.settle(trx, session_id, now())
}

/** Ends sign-ins that owe a code and clears given codes, because the user has no second factor. */
export async function clearCodes(
  { now, accounts }: Deps,
  trx: Transaction,
  user_id: string,
): Promise<void> {
  await sessions.endPending(trx, user_id, now())
  await accounts.voidStartedSignIns(trx, user_id)
  await sessions.clearCodes(trx, user_id)
}
