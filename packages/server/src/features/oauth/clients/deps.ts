import type { Database } from '../../../tables.ts'
import type { Organizations } from '../../identity/organizations/organizations.ts'
import type { Throttle } from '../../identity/throttle/throttle.ts'
import type { Audit } from '../../operations/audit/audit.ts'

export type Deps = {
  db: Database
  organizations: Organizations
  throttle: Throttle
  audit: Audit
  now: () => Date
}
