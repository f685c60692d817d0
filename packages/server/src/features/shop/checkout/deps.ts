import type { Database } from '../../../tables.ts'
import type { Catalog } from '../../directory/catalog/catalog.ts'
import type { EmojiIds } from '../../directory/emoji-ids/emoji-ids.ts'
import type { Accounts } from '../../identity/accounts/accounts.ts'
import type { Removals } from '../../identity/removals/removals.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import type { Carts } from '../carts/carts.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { BoxSales, Orders } from '../orders/orders.ts'
import type { Payments } from '../payments/payments.ts'
import type { SavedCards } from '../saved-cards/saved-cards.ts'
import type { Settlement } from '../settlement/settlement.ts'

export type Deps = {
  db: Database
  accounts: Accounts
  removals: Removals
  audit: Audit
  carts: Carts
  catalog: Catalog
  emojiIds: EmojiIds
  ledger: Ledger
  lootboxSales: BoxSales
  orders: Orders
  payments: Payments
  savedCards: SavedCards
  settlement: Settlement
  now: () => Date
  holdMs: number
  freeCeiling: number
  /** Checkouts above this many cents require a fresh code of buyers with a second factor. */
  secondFactorAbove: number
  /** Operators may not book cash for their own orders. */
  cashFourEyes: boolean
}
