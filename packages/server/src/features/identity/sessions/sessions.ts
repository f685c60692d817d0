import { bindTo, bindUseCases } from '../../../platform/bind.ts'
import type { ReadClaims } from '../../../platform/crypto/key-ring.ts'
import type { Principal } from '../../operations/access/index.ts'
import type { Deps, Options } from './deps.ts'
import {
  endOtherSessions,
  endOwnSession,
  endSession,
  logOut,
  purgeSessions,
} from './end-session.ts'
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
      openSession,
      continueSession,
      beginSession,
      findOpenSession,
      recordUse,
      settleSession,
      issueAccessToken,
      isFresh,
      isRecentLogin,
      refreshSession,
      giveSessionCode,
      addVerifier,
      verifyToken,
      logOut,
      listSessions,
      endSession,
      endOwnSession,
      endOtherSessions,
      purgeSessions,
    }),
    jwks: keyRing.jwks,
    verifySessionCode: bind(verifySessionCode),
  }
}
