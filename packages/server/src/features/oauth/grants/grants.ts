import { bindUseCases } from '../../../platform/bind.ts'
import { InvalidTokenError, type Principal } from '../../operations/access/index.ts'
import { chooseId, explainRefusal, findPending, isGranted } from './decide-consent.ts'
import type { Deps, Options } from './deps.ts'
import { exchangeCode } from './exchange-code.ts'
import { isHeldUp, noScopes } from './grant-tokens.ts'
import { listApplications } from './list-applications.ts'
import { readRequest, refuseRequest } from './read-request.ts'
import { refreshGrant } from './refresh-grant.ts'
import * as grants from './repository.ts'
import {
  forgetGrants,
  leaveApplication,
  purgeGrants,
  readClaims,
  revokeToken,
} from './revoke-grant.ts'

export type Oauth = ReturnType<typeof createOauth>

/** Logging in at applications with an emoji id: codes, and what they are exchanged for. */
export function createOauth(options: Options) {
  const { prepare, accounts, now, sessions } = options
  const findGrant = grants.findGrant(prepare)
  const deps: Deps = { ...options, findGrant }
  accounts.beforeDeletion((trx, user_id) => forgetGrants(deps, trx, user_id))
  accounts.whenDisowned((trx, user_id) => forgetGrants(deps, trx, user_id))
  accounts.whenRevoked(async (trx, user_id) => {
    await grants.endOf(trx, user_id, now())
    await grants.voidCodes(trx, user_id)
  })
  sessions.alsoVerify('SvcAccessToken', async (claims): Promise<Principal> => {
    const told = readClaims(claims)
    const [grant] = told ? await findGrant([told.sid, now()]) : []
    if (!grant || grant.client_id !== told?.client_id) throw new InvalidTokenError()
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
  })
  return {
    ...bindUseCases(deps, {
      read: readRequest,
      refuse: refuseRequest,
      isGranted,
      whyNot: explainRefusal,
      choose: chooseId,
      exchange: exchangeCode,
      refresh: refreshGrant,
      revoke: revokeToken,
      applications: listApplications,
      leave: leaveApplication,
      purge: purgeGrants,
    }),
    pending: findPending,
  }
}
