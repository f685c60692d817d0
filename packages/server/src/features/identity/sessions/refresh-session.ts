import { transact } from '../../../platform/database/database.ts'
import { answerTokens } from './issue-tokens.ts'
import { storeToken } from './open-session.ts'
import { findOpenSession } from './read-session.ts'
import * as sessions from './repository.ts'
import * as rules from './rules.ts'
import type { TokenAnswer } from './schema.ts'
import type { Deps } from './sessions.ts'

/** Rotates a refresh token. */
export async function refreshSession(deps: Deps, token: string): Promise<TokenAnswer> {
  const { now, db, successionKey } = deps
  if (!rules.refreshTokens.is(token)) throw rules.invalidRefreshToken()
  const at = now()
  const outcome = await transact(db, async (trx) => {
    const open = await findOpenSession(deps, trx, token, at)
    if (!open) return undefined
    const { user, session } = open
    const successor = await rules.refreshTokens.rotate(token, successionKey, session.rotated_at, {
      retire: (token_sha256) => sessions.rotate(trx, token_sha256, at),
      add: (next) => storeToken(deps, trx, next, session),
      touch: () => sessions.touch(trx, session.id, at),
    })
    return { user, session, successor }
  })
  if (!outcome) throw rules.invalidRefreshToken()
  return answerTokens(deps, outcome.user, outcome.session, outcome.successor)
}
