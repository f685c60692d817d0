import type { Generated, GeneratedAlways, Selectable } from 'kysely'

type EntryKind = 'payment' | 'cash' | 'override' | 'write_off' | 'refund' | 'misc_refund'

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
  kind: RefundKind
  /** `by_hand`: no provider can, or none could, so a person has to. */
  status: 'queued' | 'done' | 'by_hand'
  reference: string | null
  /** Where the buyer claims the money, sealed. */
  sealed_claim: string | null
  reason: string
  actor_id: string | null
  created_at: Date
  done_at: Date | null
}
export type RefundRow = Selectable<RefundsTable>
