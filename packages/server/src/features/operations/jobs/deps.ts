import type { Database } from '../../../tables.ts'
import type { Audit } from '../audit/index.ts'
import type * as rules from './rules.ts'

/** What operators may do with jobs, by task. Jobs of other tasks can only be removed. */
export type TaskRules = Readonly<Record<string, rules.TaskRule>>

export type Deps = {
  db: Database
  audit: Audit
  taskRules: TaskRules
}
