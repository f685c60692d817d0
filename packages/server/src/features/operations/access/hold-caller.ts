import type { Transaction } from '../../../tables.ts'
import { findCredential, lockAccount } from './repository.ts'
import { InvalidTokenError, type Principal } from './rules.ts'

/**
 * Refuses a caller whose account, session or key was revoked after the request was authenticated, and
 * locks the account against revocation until the transaction ends. Without the lock, a request that
 * waits for the account's row could write after the revocation.
 */
export async function holdCaller(trx: Transaction, caller: Principal): Promise<void> {
  const { user_id, session_id, key } = caller
  const isActive = await lockAccount(trx, user_id)
  const key_id = key?.id ?? null
  const credential = isActive && (await findCredential(trx, user_id, { session_id, key_id }))
  const isSame = credential !== undefined && credential.epoch === caller.epoch
  const hasSession = session_id === null || credential?.session_open === true
  const hasKey = key_id === null || credential?.key_open === true
  if (!isSame || !hasSession || !hasKey) throw new InvalidTokenError()
}
