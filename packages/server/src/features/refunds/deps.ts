import type { Database } from '../../tables.ts'
import type { Accounts } from '../accounts/index.ts'
import type { Audit } from '../audit/index.ts'
import type { EmojiIds } from '../emoji-ids/index.ts'
import type { Ledger } from '../ledger/index.ts'
import type { LootboxSales } from '../lootbox-sales/index.ts'
import type { Notifications } from '../notifications/index.ts'
import type { Orders } from '../orders/index.ts'
import type { Payments } from '../payments/index.ts'
import type { Settlement } from '../settlement/index.ts'

export type Deps = {
  db: Database
  accounts: Accounts
  emojiIds: EmojiIds
  ledger: Ledger
  lootboxSales: LootboxSales
  orders: Orders
  payments: Payments
  settlement: Settlement
  notifications: Notifications
  audit: Audit
  now: () => Date
}
