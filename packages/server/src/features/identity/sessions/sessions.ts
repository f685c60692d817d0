import { bindTo, bindUseCases } from '../../../platform/bind.ts'
import type { ReadClaims } from '../../../platform/crypto/key-ring.ts'
import type { Principal } from '../../operations/access/index.ts'
import type { Deps, Options } from './deps.ts'
import { endOtherSessions, endSession, endSessionOf, logOut, purgeSessions } from './end-session.ts'
import { demandCodeElsewhere, forgetCodes } from './follow-factor.ts'
import { giveSessionCode, settleSession, verifySessionCode } from './give-code.ts'
import { issueAccessToken } from './issue-tokens.ts'
import { beginSession, continueSession, openSession } from './open-session.ts'
import { findOpenSession, isFresh, isRecentLogin, listSessions, recordUse } from './read-session.ts'
import { refreshSession } from './refresh-session.ts'
import * as sessions from './repository.ts'
import { addVerifier, verifyToken } from './verify-token.ts'

export type Sessions = ReturnType<typeof createSessions>

export function createSessions(options: Options) {
  const { prepare, accounts, secondFactor, keyRing } = options
  const findCaller = sessions.findCaller(prepare)
  const otherKinds = new Map<string, (claims: ReadClaims) => Promise<Principal>>()
  const deps: Deps = { ...options, findCaller, otherKinds }
  const bind = bindTo(deps)
  accounts.beforeDeletion(sessions.removeAll)
  secondFactor.whenEnabled(bind(demandCodeElsewhere))
  secondFactor.whenRemoved(bind(forgetCodes))

  return {
    ...bindUseCases(deps, {
      open: openSession,
      goOn: continueSession,
      begin: beginSession,
      find: findOpenSession,
      noteUse: recordUse,
      settle: settleSession,
      accessToken: issueAccessToken,
      isFresh,
      isRecentLogin,
      refresh: refreshSession,
      giveCode: giveSessionCode,
      alsoVerify: addVerifier,
      verify: verifyToken,
      logOut,
      list: listSessions,
      endOne: endSession,
      end: endSessionOf,
      endOthers: endOtherSessions,
      purge: purgeSessions,
    }),
    jwks: keyRing.jwks,
    withCode: bind(verifySessionCode),
  }
}
