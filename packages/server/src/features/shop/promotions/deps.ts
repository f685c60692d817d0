import type { Database } from '../../../tables.ts'
import type { Catalog } from '../../directory/catalog/index.ts'
import type { EmojiIds } from '../../directory/emoji-ids/index.ts'
import type { Carts } from '../carts/index.ts'
import type { Checkout } from '../checkout/index.ts'
import type { Codes } from '../codes/index.ts'
import type { BoxSales, Orders } from '../orders/index.ts'
import type { Payments } from '../payments/index.ts'
import type { Settlement } from '../settlement/index.ts'

export type Deps = {
  db: Database
  carts: Carts
  catalog: Catalog
  checkout: Checkout
  codes: Codes
  emojiIds: EmojiIds
  lootboxSales: BoxSales
  orders: Orders
  payments: Payments
  settlement: Settlement
  now: () => Date
  /** Keeps draws unpredictable. */
  drawKey: Uint8Array
}
