import type { Sealer } from '../../../platform/crypto/seal.ts'
import type { Database } from '../../../tables.ts'

export type Deps = { db: Database; sealer: Sealer; now: () => Date }
