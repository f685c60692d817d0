import type { ReadClaims } from '../../../platform/crypto/key-ring.ts'
import { InvalidTokenError, type Principal } from '../../operations/access/access.ts'
import { mustSetUpFactor, noScopes } from './grant-tokens.ts'
import type { Deps } from './grants.ts'
import { readClaims } from './revoke-grant.ts'

/** Returns the user of an application's access token while the grant is open. */
export async function verifyAccessToken(deps: Deps, claims: ReadClaims): Promise<Principal> {
  const { findGrant, now } = deps
  const claimed = readClaims(claims)
  const [grant] = claimed ? await findGrant([claimed.sid, now()]) : []
  if (!grant || grant.client_id !== claimed?.client_id) throw new InvalidTokenError()
  if (mustSetUpFactor(deps, grant)) throw new InvalidTokenError()
  return {
    kind: 'application',
    user_id: grant.user_id,
    epoch: grant.epoch,
    emoji_id: grant.emoji_id,
    role: 'User',
    scopes: noScopes,
    memberships: new Map(),
    session_id: null,
    expires_at: null,
    linked_at: null,
    second_factor: null,
    isRecentLogin: false,
    lacksSecondFactor: false,
  }
}
