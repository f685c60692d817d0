import { bindUseCases } from '../../../platform/bind.ts'
import { continueAtSite, openSiteSession } from './begin-session.ts'
import type { Deps } from './deps.ts'
import { endSiteSession } from './end-session.ts'
import { findOwingSession, findSiteSession } from './find-session.ts'
import { finishLogin, giveCode } from './finish-login.ts'

export type SiteSessions = ReturnType<typeof createSiteSessions>

/** Sessions of one of our sites. The cookie of the site holds the handle of a session. */
export function createSiteSessions(deps: Deps) {
  const { sessions } = deps

  return {
    ...bindUseCases(deps, {
      openSiteSession,
      continueAtSite,
      findSiteSession,
      findOwingSession,
      finishLogin,
      giveCode,
      endSiteSession,
    }),
    /** For the pages of the site, which keep the token in memory only. */
    issueAccessToken: sessions.issueAccessToken,
  }
}
