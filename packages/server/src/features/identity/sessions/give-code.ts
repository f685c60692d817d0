import { transact } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../tables.ts'
import type { Deps } from './deps.ts'
import { answerTokens } from './issue-tokens.ts'
import { findOpenSession, type Open } from './read-session.ts'
import * as sessions from './repository.ts'
import * as rules from './rules.ts'
import type { TokenAnswer } from './schema.ts'

/**
 * Verifies a code, then runs the work with the session; undefined if the token is not valid any
 * more.
 */
export async function verifySessionCode<Result>(
  deps: Deps,
  token: string,
  code: string,
  work: (trx: Transaction, found: Open, given_at: Date) => Promise<Result>,
) {
  const { now, db, secondFactor, recovery } = deps
  const at = now()
  const owner = await transact(db, (trx) => findOpenSession(deps, trx, token, at))
  if (!owner) return undefined
  await secondFactor.verifyCode(owner.user, owner.session.id, code)
  return transact(db, async (trx) => {
    // Before the session is read again, so that a recovery that finishes now is seen.
    await recovery.cancelRecovery(trx, owner.user)
    const found = await findOpenSession(deps, trx, token, at)
    return found && work(trx, found, at)
  })
}

/** For a session that owes a code, or one that renews it. */
export function settleSession(deps: Deps, token: string, code: string) {
  return verifySessionCode(deps, token, code, async (trx, found, at) => {
    await sessions.settle(trx, found.session.id, at)
    return found
  })
}

/** For a session that owes a code, or needs a fresh one for a sensitive operation. */
export async function giveSessionCode(
  deps: Deps,
  token: string,
  code: string,
): Promise<TokenAnswer> {
  const { successionKey } = deps
  const outcome = rules.refreshTokens.is(token) ? await settleSession(deps, token, code) : undefined
  if (!outcome) throw rules.invalidRefreshToken()
  const { user, session } = outcome
  const newest = session.rotated_at ? rules.refreshTokens.successorOf(token, successionKey) : token
  return answerTokens(deps, user, { ...session, second_factor_due: false }, newest)
}
