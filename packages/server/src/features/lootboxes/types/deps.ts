import type { Database } from '../../../tables.ts'
import type { Audit } from '../../operations/audit/index.ts'

export type Deps = { db: Database; audit: Audit; now: () => Date }
