import type { Database } from '../../../tables.ts'
import type { Organizations } from '../../identity/organizations/index.ts'
import type { Throttle } from '../../identity/throttle/index.ts'
import type { Audit } from '../../operations/audit/index.ts'

export type Deps = {
  db: Database
  organizations: Organizations
  throttle: Throttle
  audit: Audit
  now: () => Date
}
