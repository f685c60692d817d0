import type { Log } from '../../../platform/log/log.ts'
import type { Database } from '../../../tables.ts'

export type Deps = { db: Database; now: () => Date; log: Log }
