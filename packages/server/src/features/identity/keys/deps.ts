import type { Sealer } from '../../../platform/crypto/seal.ts'
import type { Database, Transaction } from '../../../tables.ts'
import type { Audit } from '../../operations/audit/audit.ts'

/** Runs before a key is added: the link in its email removes keys that are newer than itself. */
export type KeyGuard = (trx: Transaction, user_id: string, sentence: string) => Promise<void>

export type Options = { db: Database; sealer: Sealer; audit: Audit; now: () => Date }

export type Deps = Options & {
  beforeAdded: KeyGuard[]
}
