import type { Database } from '../../tables.ts'
import type { Accounts } from '../accounts/index.ts'
import type { Audit } from '../audit/index.ts'

export type Deps = { db: Database; accounts: Accounts; audit: Audit; now: () => Date }
