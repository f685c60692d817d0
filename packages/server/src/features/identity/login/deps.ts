import type { Captcha } from '../../../platform/captcha/captcha.ts'
import type { Passwords } from '../../../platform/passwords/passwords.ts'
import type { Database } from '../../../tables.ts'
import type { Audit } from '../../operations/audit/index.ts'
import type { Accounts } from '../accounts/index.ts'
import type { Links } from '../links/index.ts'
import type { Mailbox } from '../mailbox/index.ts'
import type { Sessions, SiteSessions } from '../sessions/index.ts'
import type { Throttle } from '../throttle/index.ts'

export type Deps = {
  db: Database
  accounts: Accounts
  sessions: Sessions
  /** The sessions of the authorization site. */
  atApplications: SiteSessions
  /** The sessions of the web site. */
  webSessions: SiteSessions
  links: Links
  mailbox: Mailbox
  throttle: Throttle
  audit: Audit
  passwords: Passwords
  captcha: Captcha
  /** Signs device cookies. */
  deviceKey: Buffer
}
