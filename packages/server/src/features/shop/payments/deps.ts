import type { Sealer } from '../../../platform/crypto/seal.ts'
import type { Dispute, Gateways, PaymentState } from '../../../platform/payments/gateway.ts'
import type { Database, Transaction } from '../../../tables.ts'
import type { Removals } from '../../identity/removals/removals.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import type { Ledger, LedgerEntry } from '../ledger/ledger.ts'
import type { SavedCards } from '../saved-cards/saved-cards.ts'
import type { Attempt, CloseReason } from './repository.ts'

/** Called in a separate transaction with the state of an attempt at its provider. */
export type Listener = (trx: Transaction, attempt: Attempt, state: PaymentState) => Promise<void>

/** Locks the order of an authorized payment; returns why it cannot be captured. */
export type CaptureCheck = (
  trx: Transaction,
  attempt: Attempt,
  state: PaymentState,
) => Promise<CloseReason | null>

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
  audit: Audit
  ledger: Ledger
  now: () => Date
}

export type Deps = Options & {
  listeners: Listener[]
  captureChecks: CaptureCheck[]
  refundListeners: RefundListener[]
  disputeListeners: DisputeListener[]
}
