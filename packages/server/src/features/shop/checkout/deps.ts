import type { Database } from '../../../tables.ts'
import type { Catalog } from '../../directory/catalog/index.ts'
import type { EmojiIds } from '../../directory/emoji-ids/index.ts'
import type { Accounts } from '../../identity/accounts/index.ts'
import type { Removals } from '../../identity/removals/index.ts'
import type { Audit } from '../../operations/audit/index.ts'
import type { Carts } from '../carts/index.ts'
import type { Ledger } from '../ledger/index.ts'
import type { BoxSales, Orders } from '../orders/index.ts'
import type { Payments } from '../payments/index.ts'
import type { SavedCards } from '../saved-cards/index.ts'
import type { Settlement } from '../settlement/index.ts'

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
