import type { Database } from '../../tables.ts'
import type { Audit } from '../audit/index.ts'
import type { Organizations } from '../organizations/index.ts'

export type Deps = {
  db: Database
  organizations: Organizations
  audit: Audit
  now: () => Date
  authUrl: string
}
