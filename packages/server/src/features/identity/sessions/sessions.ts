import { bindUseCases } from '../../../platform/bind.ts'
import type { ReadClaims } from '../../../platform/crypto/key-ring.ts'
import type { Transaction } from '../../../tables.ts'
import type { Principal } from '../../operations/access/index.ts'
import type { Deps, Options } from './deps.ts'
import { endOtherSessions, endSession, endSessionOf, logOut, purgeSessions } from './end-session.ts'
import { giveSessionCode, settleSession, verifySessionCode } from './give-code.ts'
import { issueAccessToken } from './issue-tokens.ts'
import { beginSession, continueSession, openSession } from './open-session.ts'
import {
  findOpenSession,
  isFresh,
  isRecentLogin,
  listSessions,
  type Open,
  recordUse,
} from './read-session.ts'
import { refreshSession } from './refresh-session.ts'
import * as sessions from './repository.ts'
import { addVerifier, verifyToken } from './verify-token.ts'

export type Sessions = ReturnType<typeof createSessions>

export function createSessions(options: Options) {
  const { prepare, accounts, secondFactor, now, keyRing } = options
  const findCaller = sessions.findCaller(prepare)
  const otherKinds = new Map<string, (claims: ReadClaims) => Promise<Principal>>()
  const deps: Deps = { ...options, findCaller, otherKinds }
  accounts.beforeDeletion(sessions.removeAll)
  secondFactor.whenEnabled(async (trx, { user_id, session_id }) => {
    if (session_id === null) return
    await sessions.demoteOthers(trx, user_id, session_id)
    await sessions.settle(trx, session_id, now())
  })
  secondFactor.whenRemoved(async (trx, user_id) => {
    await sessions.endPending(trx, user_id, now())
    await sessions.forgetCodes(trx, user_id)
  })
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
    withCode: <Result>(
      token: string,
      code: string,
      work: (trx: Transaction, found: Open, given_at: Date) => Promise<Result>,
    ) => verifySessionCode(deps, token, code, work),
  }
}
