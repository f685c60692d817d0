import type { Database, Transaction } from '../../../tables.ts'
import type { Audit } from '../../operations/audit/index.ts'
import type { Notifications } from '../../operations/notifications/index.ts'
import type { Accounts } from '../accounts/index.ts'
import type { Keys } from '../keys/index.ts'
import type { Removals } from '../removals/index.ts'

export type Options = {
  db: Database
  accounts: Accounts
  keys: Keys
  removals: Removals
  audit: Audit
  notifications: Notifications
  now: () => Date
  webUrl: string
  /** Derives the ids of members who did not accept, as their organization sees them. */
  memberKey: Buffer
}

/** Runs when a member loses the right to act for the ids of an organization. */
export type DemotionListener = (
  trx: Transaction,
  user_id: string,
  organization_id: string,
) => Promise<void>

export type Deps = Options & {
  whenLowered: DemotionListener[]
}
