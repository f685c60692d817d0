import type { Log } from '../../../platform/log/log.ts'
import type { Database, Transaction } from '../../../tables.ts'
import type { EmojiIds } from '../../directory/emoji-ids/emoji-ids.ts'
import type { Accounts } from '../../identity/accounts/accounts.ts'
import type { Removals } from '../../identity/removals/removals.ts'
import type { Notifications } from '../../operations/notifications/notifications.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { BoxSales, LoadedOrder, Orders } from '../orders/orders.ts'
import type { Payments } from '../payments/payments.ts'

/**
 * Whether an order costs more now than when its payment was requested, or is no longer for sale.
 */
export type PriceCheck = (trx: Transaction, late: LoadedOrder) => Promise<boolean>

export type Options = {
  db: Database
  accounts: Accounts
  removals: Removals
  emojiIds: EmojiIds
  ledger: Ledger
  lootboxSales: BoxSales
  payments: Payments
  orders: Orders
  notifications: Notifications
  /** The address to which buyers write against a decision. */
  appealsEmail: string
  now: () => Date
  log: Log
}

export type Deps = Options & {
  priceChecks: PriceCheck[]
}
