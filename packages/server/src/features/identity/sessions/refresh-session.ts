import { sha256 } from '../../../platform/crypto/sha256.ts'
import { transact } from '../../../platform/database/database.ts'
import { answerTokens } from './issue-tokens.ts'
import { findValidToken } from './read-session.ts'
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
    const open = await findValidToken(deps, trx, token, at)
    if (!open) return undefined
    const { user, session } = open
    const successor = await rules.refreshTokens.rotate(
      token,
      successionKey,
      session.rotated_at,
      (next) =>
        sessions.rotate(
          trx,
          { token_sha256: sha256(token), at },
          rules.newToken(next, at, session),
        ),
    )
    return { user, session, successor }
  })
  if (!outcome) throw rules.invalidRefreshToken()
  return answerTokens(deps, outcome.user, outcome.session, outcome.successor)
}
