import { sha256 } from '../../../platform/crypto/sha256.ts'
import type { Transaction } from '../../../tables.ts'
import type { Principal } from '../../operations/access/access.ts'
import type { User } from '../accounts/accounts.ts'
import * as sessions from './repository.ts'
import * as rules from './rules.ts'
import type { Deps, Device } from './sessions.ts'

export type Session = { id: string; second_factor_due: boolean }

export type OpenSession = NonNullable<Awaited<ReturnType<typeof findOpenSession>>>

/**
 * Locks the account of a token before its session, as every operation does that ends several sessions:
 * it then sees a session that this transaction begins.
 */
export async function lockOwner({ accounts }: Deps, trx: Transaction, token: string) {
  const owner = await sessions.findOwner(trx, sha256(token))
  if (owner) await accounts.findAccountToChange(trx, owner.user_id)
}

/** As `findValidToken`, and records the use of the token. */
export async function findOpenSession(
  deps: Deps,
  trx: Transaction,
  token: string,
  at = deps.now(),
) {
  const open = await findValidToken(deps, trx, token, at)
  // The handles of our sites have no successors.
  if (open?.session.kind === 'device' && !open.session.used_at) {
    await sessions.markTokenUsed(trx, sha256(token), at)
  }
  return open
}

/**
 * Locks and returns the session and user of a valid refresh token. Reuse of a rotated token ends the
 * session, because the token was stolen.
 */
export async function findValidToken(
  { audit, successionKey }: Deps,
  trx: Transaction,
  token: string,
  at: Date,
) {
  const found = await sessions.findToken(trx, sha256(token))
  if (!found?.user) return undefined
  const { session, user } = found
  if (session.ended_at || session.token_expires_at <= at) return undefined
  if (user.deactivated_at || user.epoch !== session.epoch) return undefined
  const { isReused } = rules.tokensOf(session.kind)
  const isUsed = (successor_sha256: Buffer) => sessions.isTokenUsed(trx, successor_sha256)
  if (await isReused(token, successionKey, session, at, isUsed)) {
    await sessions.end(trx, user.id, session.id, at)
    const details = { session: session.id }
    await audit.writeEntry(trx, 'refresh.reused', { actor_id: user.id, result: 'refused', details })
    return undefined
  }
  return { user, session }
}

export const isFresh = ({ now, graceMs }: Deps, given_at: Date | null): boolean =>
  given_at !== null && now().getTime() - given_at.getTime() <= graceMs

export const isRecentLogin = ({ now }: Deps, at: Date | null): boolean =>
  at !== null && now().getTime() - at.getTime() <= rules.recentLoginMs

/** Writes at most once a minute. */
export async function recordUse(
  { now }: Deps,
  trx: Transaction,
  { id, last_used_at }: { id: string; last_used_at: Date },
) {
  const isOld = now().getTime() - last_used_at.getTime() >= rules.lastUsePrecisionMs
  if (isOld) await sessions.touch(trx, id, now())
}

export async function listSessions({ db, now }: Deps, { user_id, session_id }: Principal) {
  const open = await sessions.findOpen(db, user_id, now(), rules.openSessionsAtMost)
  return open.map((session) => ({ ...session, current: session.id === session_id }))
}

/** The scopes of a token whose session still owes a code. */
export const pendingScopes = ['auth:twoFactor', 'token:refresh']

export const owesCode = (user: User, { code_given_at }: Device): boolean =>
  user.two_factor_auth.length > 0 && code_given_at === undefined
