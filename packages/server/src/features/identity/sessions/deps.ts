import type { KeyRing, ReadClaims } from '../../../platform/crypto/key-ring.ts'
import type { Prepare } from '../../../platform/database/prepared.ts'
import type { Database } from '../../../tables.ts'
import type { Principal } from '../../operations/access/index.ts'
import type { Audit } from '../../operations/audit/index.ts'
import type { Accounts } from '../accounts/index.ts'
import type { Recovery } from '../recovery/index.ts'
import type { SecondFactor } from '../two-factor/index.ts'
import type * as sessions from './repository.ts'

export type Options = {
  db: Database
  prepare: Prepare
  accounts: Accounts
  audit: Audit
  keyRing: KeyRing
  secondFactor: SecondFactor
  recovery: Recovery
  /** How long a code counts as given lately. */
  graceMs: number
  /** From which refresh tokens follow one another. */
  successionKey: Buffer
  /** Whether administrators do nothing without a second factor. */
  operatorsNeedCodes: boolean
  now: () => Date
  /** Who issues tokens, and for whom they are. */
  issuer: string
  audience: string
}

export type Deps = Options & {
  findCaller: ReturnType<typeof sessions.findCaller>
  otherKinds: Map<string, (claims: ReadClaims) => Promise<Principal>>
}

export type Device = {
  user_agent: string | undefined
  linked_at?: Date
  /** Goes on from a session that began with a login then. */
  logged_in_at?: Date
  /** Goes on from a session in which a code was given. */
  code_given_at?: Date
  /** Ends with that session. */
  parent?: { id: string; expires_at: Date }
  /** Ends then at the latest. */
  ends_at?: Date
}
