import type { Database } from '../../../tables.ts'

export type Deps = { db: Database; now: () => Date }
