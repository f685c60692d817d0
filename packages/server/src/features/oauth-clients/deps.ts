import type { Database } from '../../tables.ts'
import type { Audit } from '../audit/index.ts'
import type { Organizations } from '../organizations/index.ts'
import type { Throttle } from '../throttle/index.ts'

export type Deps = {
  db: Database
  organizations: Organizations
  throttle: Throttle
  audit: Audit
  now: () => Date
}
