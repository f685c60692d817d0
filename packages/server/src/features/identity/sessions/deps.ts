import type { KeyRing, ReadClaims } from '../../../platform/crypto/key-ring.ts'
import type { Prepare } from '../../../platform/database/prepared.ts'
import type { Database, Transaction } from '../../../tables.ts'
import type { Principal } from '../../operations/access/index.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import type { Notifications } from '../../operations/notifications/notifications.ts'
import type { Accounts } from '../accounts/accounts.ts'
import type { Recovery } from '../recovery/recovery.ts'
import type { SecondFactor } from '../second-factor/second-factor.ts'
import type * as sessions from './repository.ts'
import type { SiteName } from './repository.ts'

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
