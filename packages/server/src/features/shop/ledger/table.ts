import type { Generated, GeneratedAlways, Selectable } from 'kysely'

type EntryKind =
  | 'payment'
  | 'cash'
  | 'override'
  | 'write_off'
  | 'refund'
  | 'misc_refund'
  | 'dispute'

/** Payments, and refunds as negative amounts. Append-only. */
export type LedgerEntriesTable = {
  id: GeneratedAlways<number>
  order_id: string
  attempt_id: string | null
  kind: EntryKind
  amount_in_cents: number
  provider: string
  /** Unique per provider, so a repeated report is booked once. */
  reference: string
  reason: string | null
  actor_id: string | null
  created_at: Date
}
export type LedgerEntry = Selectable<LedgerEntriesTable>

export type RefundKind = 'refund' | 'misc_refund'

/** A refund to the source of its payment. */
export type RefundsTable = {
  id: Generated<string>
  order_id: string
  /** The ledger entry of the refunded payment. */
  payment_id: number
  amount_in_cents: number
  /** The part that a bank paid through a lost dispute. */
  by_bank_in_cents: Generated<number>
  kind: RefundKind
  /** `by_hand`: the provider cannot send it, so an operator has to pay. */
  status: 'queued' | 'done' | 'by_hand'
  reference: string | null
  /** An operator paid it and entered the reference. */
  is_given_by_hand: Generated<boolean>
  /** The claim link for the buyer, sealed. */
  sealed_claim: string | null
  reason: string
  actor_id: string | null
  created_at: Date
  /** When the provider accepted it, or an operator paid it. */
  done_at: Date | null
  /** When the money left; later than `done_at` if the buyer has to claim it. */
  paid_out_at: Generated<Date | null>
  /** When the provider was last asked whether it was claimed. */
  claim_asked_at: Generated<Date | null>
}
export type RefundRow = Selectable<RefundsTable>

/** A card payment that the buyer's bank disputes. */
export type DisputesTable = {
  id: Generated<string>
  /** The provider's reference. */
  reference: string
  /** The ledger entry of the disputed payment. */
  payment_id: number
  order_id: string
  amount_in_cents: number
  /** The bank's reason. */
  reason: string
  status: 'open' | 'won' | 'lost'
  /** The amount that the bank took beyond planned refunds. */
  taken_in_cents: Generated<number>
  opened_at: Date
  answer_until: Date | null
  closed_at: Date | null
  /** An operator has to decide about ids that could not be revoked automatically. */
  awaits_decision: Generated<boolean>
  decision: 'taken_back' | 'left' | null
  decision_reason: string | null
  decided_at: Date | null
  decided_by: string | null
  created_at: Date
}
export type DisputeRow = Selectable<DisputesTable>
