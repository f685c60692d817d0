import type { ReadClaims } from '../../../platform/crypto/key-ring.ts'
import { InvalidTokenError, type Principal } from '../../operations/access/index.ts'
import type { Deps } from './deps.ts'
import { isHeldUp, noScopes } from './grant-tokens.ts'
import { readClaims } from './revoke-grant.ts'

/** Who an application's access token stands for, while its grant is open. */
export async function verifyAccessToken(deps: Deps, claims: ReadClaims): Promise<Principal> {
  const { findGrant, now } = deps
  const named = readClaims(claims)
  const [grant] = named ? await findGrant([named.sid, now()]) : []
  if (!grant || grant.client_id !== named?.client_id) throw new InvalidTokenError()
  if (isHeldUp(deps, grant)) throw new InvalidTokenError()
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
