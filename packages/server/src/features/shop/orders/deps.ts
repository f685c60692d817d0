import type { Database, Transaction } from '../../../tables.ts'
import type { Offer } from '../../directory/catalog/catalog.ts'
import type { EmojiIds } from '../../directory/emoji-ids/emoji-ids.ts'
import type { Accounts } from '../../identity/accounts/accounts.ts'
import type { Organizations } from '../../identity/organizations/organizations.ts'
import type { Removals } from '../../identity/removals/removals.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import type { Events } from '../../operations/events/events.ts'
import type { Notifications } from '../../operations/notifications/notifications.ts'
import type { Codes } from '../codes/codes.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Payments } from '../payments/payments.ts'
import type { Limits } from './limits.ts'

export type Options = {
  db: Database
  accounts: Accounts
  removals: Removals
  emojiIds: EmojiIds
  organizations: Organizations
  codes: Codes
  ledger: Ledger
  lootboxSales: BoxSales
  payments: Payments
  notifications: Notifications
  audit: Audit
  events: Events
  now: () => Date
}

export type Deps = Options & { limits: Limits }

type Holder = { order_id: string; expires_at: Date }

type Buyer = { id: string; user_id: string }

type SoldBox = {
  id: string
  status: 'Draft' | 'Available' | 'Owned' | 'Used'
  order_id: string | null
  frozen_at: Date | null
  yats: string[]
}

/**
 * The shop's interface to lootboxes. The lootboxes wing implements it, so that the shop does not
 * import it.
 */
export type BoxSales = {
  /** The price of boxes, and whether they are available now. */
  showOffers(ids: readonly string[]): Promise<Map<string, Offer>>
  /** The current prices; null for boxes that are not for sale. */
  findPrices(
    from: Database | Transaction,
    ids: readonly string[],
  ): Promise<Map<string, number | null>>
  holdLootboxes(
    trx: Transaction,
    holder: Holder,
    ids: readonly string[],
  ): Promise<Map<string, Offer>>
  extendHolds(trx: Transaction, order_id: string, until: Date): Promise<unknown>
  releaseHolds(trx: Transaction, order_id: string): Promise<unknown>
  /** Grants the held boxes to the buyer; returns false if a wanted box is not held. */
  grantHeldLootboxes(trx: Transaction, buyer: Buyer, ids: readonly string[]): Promise<boolean>
  /** Returns false if the buyer opened the box or no longer owns it. */
  takeBackLootbox(trx: Transaction, buyer: Buyer, id: string): Promise<boolean>
  /** Freezes or unfreezes the unopened boxes of an order. */
  setFrozen(trx: Transaction, order_id: string, frozen_at: Date | null): Promise<unknown>
  findLootboxes(from: Database | Transaction, ids: readonly string[]): Promise<SoldBox[]>
  /** The names of boxes on receipts. */
  nameLootboxes(from: Database | Transaction, ids: readonly string[]): Promise<Map<string, string>>
  findLootboxOwners(
    from: Database | Transaction,
    ids: readonly string[],
  ): Promise<Map<string, { user_id: string | null; order_id: string | null; opened: boolean }>>
}
