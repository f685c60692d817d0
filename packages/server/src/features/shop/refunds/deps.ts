import type { Database } from '../../../tables.ts'
import type { EmojiIds } from '../../directory/emoji-ids/index.ts'
import type { Accounts } from '../../identity/accounts/index.ts'
import type { Audit } from '../../operations/audit/index.ts'
import type { Events } from '../../operations/events/index.ts'
import type { Notifications } from '../../operations/notifications/index.ts'
import type { Ledger } from '../ledger/index.ts'
import type { BoxSales, Orders } from '../orders/index.ts'
import type { Payments } from '../payments/index.ts'
import type { Settlement } from '../settlement/index.ts'

export type Deps = {
  db: Database
  accounts: Accounts
  emojiIds: EmojiIds
  ledger: Ledger
  lootboxSales: BoxSales
  orders: Orders
  payments: Payments
  settlement: Settlement
  notifications: Notifications
  audit: Audit
  events: Events
  now: () => Date
}
