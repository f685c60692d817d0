import type { Database } from '../../../tables.ts'
import type { EmojiIds } from '../../directory/emoji-ids/emoji-ids.ts'
import type { Accounts } from '../../identity/accounts/accounts.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import type { Events } from '../../operations/events/events.ts'
import type { Notifications } from '../../operations/notifications/notifications.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { BoxSales, Orders } from '../orders/orders.ts'
import type { Payments } from '../payments/payments.ts'
import type { Settlement } from '../settlement/settlement.ts'

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
