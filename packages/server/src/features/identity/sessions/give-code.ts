import { transact } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../tables.ts'
import { answerTokens } from './issue-tokens.ts'
import { findOpenSession, type OpenSession } from './read-session.ts'
import * as sessions from './repository.ts'
import * as rules from './rules.ts'
import type { TokenAnswer } from './schema.ts'
import type { Deps } from './sessions.ts'

/** Verifies a code, then runs the work with the session; undefined if the token is not valid. */
export async function verifySessionCode<Result>(
  deps: Deps,
  token: string,
  code: string,
  work: (trx: Transaction, open: OpenSession, given_at: Date) => Promise<Result>,
) {
  const { now, db, secondFactor, recovery } = deps
  const at = now()
  const owner = await transact(db, (trx) => findOpenSession(deps, trx, token, at))
  if (!owner) return undefined
  return secondFactor.withVerifiedCode(owner.user, owner.session.id, code, async (trx) => {
    // Cancel first: reading the session afterwards sees a recovery that finishes concurrently.
    await recovery.cancelRecovery(trx, owner.user)
    const open = await findOpenSession(deps, trx, token, at)
    return open && work(trx, open, at)
  })
}

/** For a session that owes a code, or refreshes it. */
export function settleSession(deps: Deps, token: string, code: string) {
  return verifySessionCode(deps, token, code, async (trx, open, at) => {
    await sessions.settle(trx, open.session.id, at)
    return open
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
