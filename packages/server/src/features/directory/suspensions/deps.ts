import type { Database, Transaction } from '../../../tables.ts'
import type { Accounts } from '../../identity/accounts/accounts.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import type { Notifications } from '../../operations/notifications/notifications.ts'
import type { EmojiIds, OwnedId } from '../emoji-ids/emoji-ids.ts'

export type Options = {
  db: Database
  accounts: Accounts
  emojiIds: EmojiIds
  notifications: Notifications
  audit: Audit
  now: () => Date
  /** The address to which owners write against an operator's decision. */
  appealsEmail: string
}

/** Locked ids that are about to be suspended or restored. */
export type SuspensionChange = {
  owned: readonly OwnedId[]
  isSuspended: boolean
  actor_id: string
  reason: string
}

export type SuspensionListener = (trx: Transaction, change: SuspensionChange) => Promise<void>

export type Deps = Options & { whenChanged: SuspensionListener[] }
