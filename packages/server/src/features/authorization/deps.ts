import type { Accounts } from '../accounts/index.ts'
import type { Login } from '../login/index.ts'
import type { Mailbox } from '../mailbox/index.ts'
import type { SiteSessions } from '../site-sessions/index.ts'
import type { SecondFactor } from '../two-factor/index.ts'

export type Deps = {
  accounts: Accounts
  login: Login
  mailbox: Mailbox
  sessions: SiteSessions
  secondFactor: SecondFactor
  /** Whether administrators do nothing without a second factor. */
  operatorsNeedCodes: boolean
  /** Signs what forms carry. */
  formKey: Buffer
  now: () => Date
}
