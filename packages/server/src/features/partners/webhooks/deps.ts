import type { Sealer } from '../../../platform/crypto/seal.ts'
import type { DatabaseMonitor } from '../../../platform/database/monitor.ts'
import type { Log } from '../../../platform/log/log.ts'
import type { Poster } from '../../../platform/outside/post-body.ts'
import type { Database } from '../../../tables.ts'
import type { Accounts } from '../../identity/accounts/accounts.ts'
import type { Organizations } from '../../identity/organizations/organizations.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import type { Events } from '../../operations/events/events.ts'
import type { Limits } from './limits.ts'

export type Options = {
  db: Database
  monitor: DatabaseMonitor
  sealer: Sealer
  accounts: Accounts
  organizations: Organizations
  audit: Audit
  events: Events
  poster: Poster
  /** In the demonstration. */
  allowsHttp: boolean
  now: () => Date
  log: Log
}

export type Deps = Options & { limits: Limits }
