import { bindTo, bindUseCases } from '../../../platform/bind.ts'
import type { KeyRing, ReadClaims } from '../../../platform/crypto/key-ring.ts'
import type { Prepare } from '../../../platform/database/prepared.ts'
import type { Database, Transaction } from '../../../tables.ts'
import type { Principal } from '../../operations/access/access.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import type { Notifications } from '../../operations/notifications/notifications.ts'
import type { Accounts } from '../accounts/accounts.ts'
import type { Recovery } from '../recovery/recovery.ts'
import type { SecondFactor } from '../second-factor/second-factor.ts'
import {
  continueAtSite,
  continueFromSite,
  openOwingSession,
  openSiteSession,
} from './begin-site-session.ts'
import { endOtherSessions, endOwnSession, logOut } from './end-session.ts'
import { endSiteSession } from './end-site-session.ts'
import { clearCodes, requireCodeElsewhere } from './factor-actions.ts'
import { findPendingSession, findSiteSession } from './find-site-session.ts'
import { confirmSession, finishLogin, giveCode, signInAgain } from './finish-site-login.ts'
import { giveSessionCode } from './give-code.ts'
import { issueAccessToken } from './issue-tokens.ts'
import { continueSession, openSession, openSessionOf } from './open-session.ts'
import { listSessions } from './read-session.ts'
import { refreshSession } from './refresh-session.ts'
import type { SiteName } from './repository.ts'
import * as sessions from './repository.ts'
import { returnToken } from './return-token.ts'
import { addVerifier, verifyToken } from './verify-token.ts'

export { purgeSessions } from './end-session.ts'

export { TokenAnswer } from './schema.ts'

/** Ends access of a user that is no session; returns whether there was any. */
export type AccessEnder = (trx: Transaction, user_id: string) => Promise<boolean>

export type Options = {
  db: Database
  prepare: Prepare
  accounts: Accounts
  notifications: Notifications
  audit: Audit
  keyRing: KeyRing
  secondFactor: SecondFactor
  recovery: Recovery
  /** How long a code counts as fresh. */
  graceMs: number
  /** The key from which the successor of a refresh token is derived. */
  successionKey: Buffer
  /** Whether operators need a second factor. */
  operatorsNeedCodes: boolean
  now: () => Date
  /** The `iss` and `aud` of tokens. */
  issuer: string
  audience: string
}

export type Deps = Options & {
  findCaller: ReturnType<typeof sessions.findCaller>
  whenOthersEnded: AccessEnder[]
  otherKinds: Map<string, (claims: ReadClaims) => Promise<Principal>>
}

/** For sessions of one of our sites. */
export type SiteDeps = Deps & { site: SiteName }

export type Device = {
  user_agent: string | undefined
  linked_at?: Date
  /** The epoch that the first emailed link of the account revoked. */
  claimed_epoch?: number
  /** The sign-in time of the session that this one continues. */
  logged_in_at?: Date
  /** The time of the last code in the session that this one continues. */
  code_given_at?: Date
  /** The session with which this one ends. */
  parent?: { id: string; expires_at: Date }
  /** The latest end of the session. */
  ends_at?: Date
}

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
      openSessionOf,
      continueSession,
      refreshSession,
      giveSessionCode,
      addVerifier,
      verifyToken,
      logOut,
      listSessions,
      endOwnSession,
      endOtherSessions,
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
