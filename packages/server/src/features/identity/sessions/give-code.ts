import { transact } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../tables.ts'
import type { Deps } from './deps.ts'
import { answerTokens } from './issue-tokens.ts'
import { findOpenSession, type Open } from './read-session.ts'
import * as sessions from './repository.ts'
import * as rules from './rules.ts'
import type { TokenAnswer } from './schema.ts'

/** What a right code is given for; nothing for a token that is not good any more. */
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
    // First, so that a recovery that ends at this moment is seen by what follows.
    await recovery.cancelRecovery(trx, owner.user)
    const found = await findOpenSession(deps, trx, token, at)
    return found && work(trx, found, at)
  })
}

/** The code that a session owes, or a new one. */
export function settleSession(deps: Deps, token: string, code: string) {
  return verifySessionCode(deps, token, code, async (trx, found, at) => {
    await sessions.settle(trx, found.session.id, at)
    return found
  })
}

/** The code that a session owes, or a new one for what is sensitive. */
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
