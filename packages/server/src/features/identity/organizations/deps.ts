import type { Database, Transaction } from '../../../tables.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import type { Notifications } from '../../operations/notifications/notifications.ts'
import type { Accounts } from '../accounts/accounts.ts'
import type { Keys } from '../keys/keys.ts'
import type { Removals } from '../removals/removals.ts'

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
