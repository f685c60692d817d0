import type { ReadClaims } from '../../../platform/crypto/key-ring.ts'
import { isUuid } from '../../../platform/uuid.ts'
import {
  InvalidTokenError,
  lacksSecondFactor,
  type Principal,
  scopesOfRole,
} from '../../operations/access/access.ts'
import { noScopes } from './issue-tokens.ts'
import { isFresh, isRecentLogin } from './read-session.ts'
import type { Deps } from './sessions.ts'

/** Lets another feature verify access tokens of its own type. */
export const addVerifier = (
  { otherKinds }: Deps,
  type: string,
  verify: (claims: ReadClaims) => Promise<Principal>,
) => void otherKinds.set(type, verify)

/** Returns the holder of an access token with their current rights. */
export async function verifyToken(deps: Deps, token: string): Promise<Principal> {
  const { keyRing, issuer, audience, now, otherKinds, findCaller, operatorsNeedCodes } = deps
  const claims = await keyRing.verify(token, { typ: 'at+jwt', issuer, audience, now: now() })
  const verifyOther = otherKinds.get(String(claims?.['type']))
  if (claims && verifyOther) return verifyOther(claims)
  const { sub, sid, epoch } = claims ?? {}
  if (claims?.['type'] !== 'AccessToken' || !isUuid(sub) || !isUuid(sid)) {
    throw new InvalidTokenError()
  }
  const [caller] = await findCaller([sub, sid, now()])
  if (!caller?.is_active || !caller.session_open || caller.epoch !== epoch) {
    throw new InvalidTokenError()
  }
  const { provider, second_factor_at } = caller
  const isPending = caller.second_factor_due === true
  return {
    kind: isPending ? 'pending' : 'session',
    user_id: sub,
    epoch: caller.epoch,
    session_id: sid,
    role: caller.role,
    linked_at: caller.linked_at,
    expires_at: null,
    isRecentLogin: isRecentLogin(deps, caller.logged_in_at),
    lacksSecondFactor: operatorsNeedCodes && lacksSecondFactor(caller),
    scopes: isPending ? noScopes : scopesOfRole(caller.role),
    memberships: new Map(Object.entries(caller.memberships)),
    second_factor: provider && { provider, isFresh: isFresh(deps, second_factor_at) },
  }
}
