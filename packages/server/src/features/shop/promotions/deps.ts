import type { Database } from '../../../tables.ts'
import type { Catalog } from '../../directory/catalog/catalog.ts'
import type { EmojiIds } from '../../directory/emoji-ids/emoji-ids.ts'
import type { Carts } from '../carts/carts.ts'
import type { Checkout } from '../checkout/checkout.ts'
import type { Codes } from '../codes/codes.ts'
import type { BoxSales, Orders } from '../orders/orders.ts'
import type { Payments } from '../payments/payments.ts'
import type { Settlement } from '../settlement/settlement.ts'

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
