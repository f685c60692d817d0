import type { Allowance } from '../../../platform/http/allowance.ts'
import type { Database } from '../../../tables.ts'

export type Options = { db: Database }

export type Deps = Options & {
  /** The rate limit of the words that are looked for. */
  searched: Allowance
}
