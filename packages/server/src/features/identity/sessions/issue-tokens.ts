import { randomUUID } from 'node:crypto'
import { scopesOfRole } from '../../operations/access/access.ts'
import type { User } from '../accounts/accounts.ts'
import type { Session } from './read-session.ts'
import { pendingScopes } from './read-session.ts'
import * as rules from './rules.ts'
import type { TokenAnswer } from './schema.ts'
import type { Deps } from './sessions.ts'

export const noScopes: ReadonlySet<never> = new Set()

export function issueAccessToken(
  { now, keyRing, issuer, audience }: Deps,
  user: User,
  session: Session,
): Promise<string> {
  const issuedAt = now()
  const iat = Math.floor(issuedAt.getTime() / 1_000)
  return keyRing.sign('at+jwt', {
    iss: issuer,
    aud: audience,
    sub: user.id,
    iat,
    jti: randomUUID(),
    sid: session.id,
    exp: iat + rules.accessLastsMs / 1_000,
    type: 'AccessToken',
    client_id: null,
    issued: issuedAt.toISOString(),
    epoch: user.epoch,
    active2fa: user.two_factor_auth.length > 0 && !session.second_factor_due,
    scopes: session.second_factor_due ? pendingScopes : [...scopesOfRole(user.role)],
  })
}

export async function answerTokens(
  deps: Deps,
  user: User,
  session: Session,
  refresh_token: string,
): Promise<TokenAnswer> {
  return {
    access_token: await issueAccessToken(deps, user, session),
    refresh_token,
    has_password: user.password_hash !== null,
    requires_2fa: session.second_factor_due ? (user.two_factor_auth[0] ?? null) : null,
  }
}
