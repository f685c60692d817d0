import type { Database } from '../../../tables.ts'
import { findCurrent } from './repository.ts'
import type { Principal } from './rules.ts'

/**
 * The caller of a long request with their current memberships, and whether their email address is
 * confirmed; undefined if the account, session or key was revoked since.
 */
export async function refreshCaller(
  db: Database,
  caller: Principal,
  now: Date,
): Promise<{ caller: Principal; isConfirmed: boolean } | undefined> {
  const { user_id, session_id, key, expires_at } = caller
  if (expires_at && expires_at <= now) return undefined
  const key_id = key?.id ?? null
  const current = await findCurrent(db, user_id, { session_id, key_id })
  if (!current || current.epoch !== caller.epoch) return undefined
  if (session_id !== null && current.session_open !== true) return undefined
  if (key_id !== null && current.key_open !== true) return undefined
  const memberships = new Map(Object.entries(current.memberships))
  return { caller: { ...caller, memberships }, isConfirmed: current.is_confirmed }
}
