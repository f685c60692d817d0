import type { Database } from '../../../tables.ts'
import type { Accounts } from '../accounts/index.ts'

export type Deps = {
  db: Database
  accounts: Accounts
  now: () => Date
  /** How long a deleted account can be barred if an id of it was reported or suspended. */
  restMs: number
}
