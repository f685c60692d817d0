import type { EmojiId } from '@emojid/core'
import type { DatabaseMonitor } from '../../../platform/database/monitor.ts'
import type { Database, Transaction } from '../../../tables.ts'
import type { Accounts } from '../../identity/accounts/accounts.ts'
import type { Keys } from '../../identity/keys/keys.ts'
import type { Organizations } from '../../identity/organizations/organizations.ts'
import type { Removals } from '../../identity/removals/removals.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import type { Events } from '../../operations/events/events.ts'
import type { Limits } from './limits.ts'
import type * as rules from './rules.ts'

export type Watcher = { forget(id: EmojiId): void; clear(): void }

/** An action of another feature in the same transaction. */
export type IdListener = (trx: Transaction, id: EmojiId) => Promise<void>

/** As ForId, before the owner changes. */
export type OwnedIdListener = (trx: Transaction, ownedId: rules.OwnedId) => Promise<void>

export type Options = {
  db: Database
  monitor: DatabaseMonitor
  accounts: Accounts
  organizations: Organizations
  keys: Keys
  removals: Removals
  audit: Audit
  events: Events
  now: () => Date
  /** How long an id that an operator released is not for sale. */
  restMs: number
  /** The address to which owners write against an operator's decision. */
  appealsEmail: string
}

export type Deps = Options & {
  limits: Limits
  watchers: Watcher[]
  whenFreed: IdListener[]
  whenEmptied: IdListener[]
  beforeRelease: OwnedIdListener[]
  beforeOwnerChange: OwnedIdListener[]
}
