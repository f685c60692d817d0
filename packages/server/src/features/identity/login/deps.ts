import type { Captcha } from '../../../platform/captcha/captcha.ts'
import type { Passwords } from '../../../platform/passwords/passwords.ts'
import type { Database } from '../../../tables.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import type { Accounts } from '../accounts/accounts.ts'
import type { Links } from '../links/links.ts'
import type { Mailbox } from '../mailbox/mailbox.ts'
import type { Sessions, SiteSessions } from '../sessions/sessions.ts'
import type { Throttle } from '../throttle/throttle.ts'

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
