import { bindTo, bindUseCases } from '../../../platform/bind.ts'
import type { ReadClaims } from '../../../platform/crypto/key-ring.ts'
import type { JobModule } from '../../../platform/jobs/worker.ts'
import type { Principal } from '../../operations/access/index.ts'
import {
  continueAtSite,
  continueFromSite,
  openOwingSession,
  openSiteSession,
} from './begin-site-session.ts'
import type { AccessEnder, Deps, Options, SiteDeps } from './deps.ts'
import { endOtherSessions, endOwnSession, logOut, purgeSessions } from './end-session.ts'
import { endSiteSession } from './end-site-session.ts'
import { clearCodes, requireCodeElsewhere } from './factor-actions.ts'
import { findPendingSession, findSiteSession } from './find-site-session.ts'
import { confirmSession, finishLogin, giveCode, signInAgain } from './finish-site-login.ts'
import { giveSessionCode } from './give-code.ts'
import { issueAccessToken } from './issue-tokens.ts'
import { continueSession, openSession } from './open-session.ts'
import { listSessions } from './read-session.ts'
import { refreshSession } from './refresh-session.ts'
import type { SiteName } from './repository.ts'
import * as sessions from './repository.ts'
import { returnToken } from './return-token.ts'
import { addVerifier, verifyToken } from './verify-token.ts'

export { TokenAnswer } from './schema.ts'

export type Sessions = ReturnType<typeof createSessions>
export type SiteSessions = ReturnType<typeof createSiteSessions>

export function createSessions(options: Options) {
  const { prepare, accounts, secondFactor, keyRing } = options
  const findCaller = sessions.findCaller(prepare)
  const otherKinds = new Map<string, (claims: ReadClaims) => Promise<Principal>>()
  const whenOthersEnded: AccessEnder[] = []
  const deps: Deps = { ...options, findCaller, otherKinds, whenOthersEnded }
  const bind = bindTo(deps)
  accounts.beforeDeletion(sessions.removeAll)
  secondFactor.whenEnabled(bind(requireCodeElsewhere))
  secondFactor.whenRemoved(bind(clearCodes))

  return {
    ...bindUseCases(deps, {
      openSession,
      continueSession,
      refreshSession,
      giveSessionCode,
      addVerifier,
      verifyToken,
      logOut,
      listSessions,
      endOwnSession,
      endOtherSessions,
      purgeSessions,
    }),
    /** Adds an action that runs when a user ends all other sessions. */
    whenOthersEnded: (action: AccessEnder) => void whenOthersEnded.push(action),
    jwks: keyRing.jwks,
    atSite: (site: SiteName) => createSiteSessions({ ...deps, site }),
  }
}

/** Sessions of one of our sites. Its cookie holds the handle of a session. */
function createSiteSessions(deps: SiteDeps) {
  return bindUseCases(deps, {
    openSiteSession,
    openOwingSession,
    continueAtSite,
    continueFromSite,
    findSiteSession,
    findPendingSession,
    finishLogin,
    giveCode,
    confirmSession,
    signInAgain,
    endSiteSession,
    returnToken,
    /** For the pages of the site, which hold the token in memory only. */
    issueAccessToken,
  })
}

export const sessionJobs = (sessions: Sessions): JobModule => ({
  tasks: { 'sessions.purge': () => sessions.purgeSessions() },
  schedules: [{ task: 'sessions.purge', cron: '27 4 * * *' }],
})
