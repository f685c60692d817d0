import type { Database } from '../../tables.ts'
import type { Audit } from '../audit/index.ts'
import type * as rules from './rules.ts'

export type Deps = {
  db: Database
  audit: Audit
  /** By task. Jobs of other tasks can only be removed. */
  taskRules: Readonly<Record<string, rules.TaskRule>>
}
