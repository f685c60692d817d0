import { bindTo, bindUseCases } from '../../../platform/bind.ts'
import type { KeyRing } from '../../../platform/crypto/key-ring.ts'
import type { Prepare } from '../../../platform/database/prepared.ts'
import type { Database } from '../../../tables.ts'
import type { EmojiIds } from '../../directory/emoji-ids/emoji-ids.ts'
import type { Accounts } from '../../identity/accounts/accounts.ts'
import type { Sessions } from '../../identity/sessions/sessions.ts'
import type { Principal } from '../../operations/access/access.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import type { Clients } from '../clients/clients.ts'
import { chooseId, explainRefusal, isGranted, pendingRedirect } from './decide-consent.ts'
import { exchangeCode } from './exchange-code.ts'
import { readRequest, refuseRequest } from './read-request.ts'
import { refreshGrant } from './refresh-grant.ts'
import * as grants from './repository.ts'
import {
  endGrants,
  forgetUser,
  leaveApplication,
  revokeToken,
  voidUnusedCodes,
} from './revoke-grant.ts'
import { verifyAccessToken } from './verify-access-token.ts'

export type { AuthorizationRequest } from './read-request.ts'
export { purgeGrants } from './revoke-grant.ts'
export { parameters } from './rules.ts'

export type Options = {
  db: Database
  prepare: Prepare
  accounts: Accounts
  emojiIds: EmojiIds
  clients: Clients
  sessions: Sessions
  audit: Audit
  keyRing: KeyRing
  /** The key from which the successor of a refresh token is derived. */
  successionKey: Buffer
  /** Whether operators need a second factor. */
  operatorsNeedCodes: boolean
  now: () => Date
  issuer: string
  audience: string
}

export type Deps = Options & {
  findGrant: ReturnType<typeof grants.findGrant>
}

export type Grants = ReturnType<typeof createGrants>

/** OAuth 2 with an emoji id: authorization codes, grants and their tokens. */
export function createGrants(options: Options) {
  const { prepare, accounts, sessions } = options
  const findGrant = grants.findGrant(prepare)
  const deps: Deps = { ...options, findGrant }
  const bind = bindTo(deps)
  accounts.beforeDeletion(bind(forgetUser))
  accounts.whenDisowned(bind(forgetUser))
  accounts.whenRevoked(bind(endGrants))
  sessions.whenOthersEnded(voidUnusedCodes)
  sessions.addVerifier('SvcAccessToken', bind(verifyAccessToken))

  return {
    ...bindUseCases(deps, {
      readRequest,
      refuseRequest,
      isGranted,
      explainRefusal,
      chooseId,
      exchangeCode,
      refreshGrant,
      revokeToken,
      listApplications,
      leaveApplication,
    }),
    pendingRedirect,
  }
}

const listApplications = ({ db, now }: Deps, { user_id }: Principal) =>
  grants.findApplications(db, user_id, now())
