import type { Accounts } from '../../identity/accounts/index.ts'
import type { Login } from '../../identity/login/index.ts'
import type { Mailbox } from '../../identity/mailbox/index.ts'
import type { SecondFactor } from '../../identity/second-factor/index.ts'
import type { SiteSessions } from '../../identity/sessions/index.ts'

export type Deps = {
  accounts: Accounts
  login: Login
  mailbox: Mailbox
  sessions: SiteSessions
  secondFactor: SecondFactor
  /** Whether operators need a second factor. */
  operatorsNeedCodes: boolean
  /** Signs the tokens of forms. */
  formKey: Buffer
  now: () => Date
}
