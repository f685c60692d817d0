import type { Database } from '../../../tables.ts'
import type { Audit } from '../../operations/audit/index.ts'
import type { Limits } from './limits.ts'

export type Options = { db: Database; audit: Audit; now: () => Date }

export type Deps = Options & { limits: Limits }
