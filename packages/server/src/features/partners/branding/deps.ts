import type { Database } from '../../../tables.ts'
import type { Organizations } from '../../identity/organizations/index.ts'
import type { Audit } from '../../operations/audit/index.ts'

export type Deps = {
  db: Database
  organizations: Organizations
  audit: Audit
  now: () => Date
  authUrl: string
}
