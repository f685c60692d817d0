import type { Database } from '../../../tables.ts'
import type { Audit } from '../audit/index.ts'
import type * as rules from './rules.ts'

/** The rules for operators, by task. Jobs of other tasks can be retried and removed. */
export type TaskRules = Readonly<Record<string, rules.TaskRule>>

export type Deps = {
  db: Database
  audit: Audit
  taskRules: TaskRules
}
