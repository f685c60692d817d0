import type { Generated, GeneratedAlways, Selectable } from 'kysely'

type EntryKind =
  | 'payment'
  | 'cash'
  | 'override'
  | 'write_off'
  | 'refund'
  | 'misc_refund'
  | 'dispute'

/** Every cent that came, or is owed back and then negative. Rows are only added. */
export type LedgerEntriesTable = {
  id: GeneratedAlways<number>
  order_id: string
  attempt_id: string | null
  kind: EntryKind
  amount_in_cents: number
  provider: string
  /** One entry for each, however often it is told. */
  reference: string
  reason: string | null
  actor_id: string | null
  created_at: Date
}
export type LedgerEntry = Selectable<LedgerEntriesTable>

export type RefundKind = 'refund' | 'misc_refund'

/** Money on its way back to where it came from. */
export type RefundsTable = {
  id: Generated<string>
  order_id: string
  /** The entry of the money that is given back. */
  payment_id: number
  amount_in_cents: number
  /** What of it a bank paid, by deciding a dispute for the buyer. */
  by_bank_in_cents: Generated<number>
  kind: RefundKind
  /** `by_hand`: no provider can, or none could, so a person has to. */
  status: 'queued' | 'done' | 'by_hand'
  reference: string | null
  /** An operator paid it, and typed the reference. */
  is_given_by_hand: Generated<boolean>
  /** Where the buyer claims the money, sealed. */
  sealed_claim: string | null
  reason: string
  actor_id: string | null
  created_at: Date
  /** When the provider took it on, or a person gave it. */
  done_at: Date | null
  /** When the money left: later than that where the buyer has to claim it. */
  paid_out_at: Generated<Date | null>
  /** When the provider was asked last whether it was claimed. */
  claim_asked_at: Generated<Date | null>
}
export type RefundRow = Selectable<RefundsTable>

/** A payment that the buyer's bank took back, or asks about. */
export type DisputesTable = {
  id: Generated<string>
  /** The provider's name for it. */
  reference: string
  /** The entry of the disputed payment. */
  payment_id: number
  order_id: string
  amount_in_cents: number
  /** The bank's word for why. */
  reason: string
  status: 'open' | 'won' | 'lost'
  /** What the bank kept of it beyond refunds that were planned. */
  taken_in_cents: Generated<number>
  opened_at: Date
  answer_until: Date | null
  closed_at: Date | null
  /** Something of the order could not be taken back by itself. */
  awaits_decision: Generated<boolean>
  decision: 'taken_back' | 'left' | null
  decision_reason: string | null
  decided_at: Date | null
  decided_by: string | null
  created_at: Date
}
export type DisputeRow = Selectable<DisputesTable>
