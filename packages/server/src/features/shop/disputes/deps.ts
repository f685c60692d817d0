import type { Database } from '../../../tables.ts'
import type { EmojiIds } from '../../directory/emoji-ids/emoji-ids.ts'
import type { Transfers } from '../../directory/transfers/transfers.ts'
import type { Accounts } from '../../identity/accounts/accounts.ts'
import type { Organizations } from '../../identity/organizations/organizations.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import type { Events } from '../../operations/events/events.ts'
import type { Notifications } from '../../operations/notifications/notifications.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { BoxSales, Orders } from '../orders/orders.ts'
import type { Payments } from '../payments/payments.ts'

export type Deps = {
  db: Database
  accounts: Accounts
  organizations: Organizations
  emojiIds: EmojiIds
  ledger: Ledger
  lootboxSales: BoxSales
  orders: Orders
  payments: Payments
  transfers: Transfers
  notifications: Notifications
  audit: Audit
  events: Events
  now: () => Date
  webUrl: string
}
