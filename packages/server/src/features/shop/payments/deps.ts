import type { Sealer } from '../../../platform/crypto/seal.ts'
import type { Dispute, Gateways, PaymentState } from '../../../platform/payments/gateway.ts'
import type { Database, Transaction } from '../../../tables.ts'
import type { Removals } from '../../identity/removals/index.ts'
import type { Ledger, LedgerEntry } from '../ledger/index.ts'
import type { SavedCards } from '../saved-cards/index.ts'
import type { Attempt } from './table.ts'

/** Called in a separate transaction with the state of an attempt at its provider. */
export type Listener = (trx: Transaction, attempt: Attempt, state: PaymentState) => Promise<void>

export type Refund = {
  id: string
  order_id: string
  amount_in_cents: number
  claim_url: string | null
}

export type RefundListener = (trx: Transaction, refund: Refund) => Promise<void>

export type DisputeListener = (
  trx: Transaction,
  payment: LedgerEntry,
  dispute: Dispute,
) => Promise<void>

export type Options = {
  db: Database
  sealer: Sealer
  gateways: Gateways
  savedCards: SavedCards
  removals: Removals
  ledger: Ledger
  now: () => Date
}

export type Deps = Options & {
  listeners: Listener[]
  refundListeners: RefundListener[]
  disputeListeners: DisputeListener[]
}
