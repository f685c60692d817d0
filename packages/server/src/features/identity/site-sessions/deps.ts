import type { Database } from '../../../tables.ts'
import type { Audit } from '../../operations/audit/index.ts'
import type { Sessions, SiteName } from '../sessions/index.ts'

export type Deps = {
  db: Database
  sessions: Sessions
  audit: Audit
  site: SiteName
  now: () => Date
}
