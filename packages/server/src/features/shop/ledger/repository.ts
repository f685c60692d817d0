import {
  type Generated,
  type GeneratedAlways,
  type Insertable,
  type Selectable,
  sql,
  type Updateable,
} from 'kysely'
import { readPage } from '../../../platform/database/page.ts'
import { rewrapColumn } from '../../../platform/database/rewrap.ts'
import type { Database, Tables, Transaction } from '../../../tables.ts'
import type { DisputeQuery, RefundQuery } from './schema.ts'

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

/** Returns undefined if the entry already exists. */
export const insertEntry = (trx: Transaction, entry: Insertable<Tables['ledger_entries']>) =>
  trx
    .insertInto('ledger_entries')
    .values(entry)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()

export const findEntries = (db: Database, order_id: string) =>
  db
    .selectFrom('ledger_entries')
    .selectAll()
    .where('order_id', '=', order_id)
    .orderBy('id')
    .execute()

export const findEntry = (db: Database, id: number) =>
  db.selectFrom('ledger_entries').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** Locks a payment against concurrent refunds and disputes. */
export const lockPayment = (trx: Transaction, id: number) =>
  trx
    .selectFrom('ledger_entries')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()

export const findPayment = (db: Database, provider: string, reference: string) =>
  db
    .selectFrom('ledger_entries')
    .select('attempt_id')
    .where('provider', '=', provider)
    .where('reference', '=', reference)
    .executeTakeFirst()

/** The newest payment of an order through a provider. */
export const findLastOf = (db: Database, order_id: string, provider: string) =>
  db
    .selectFrom('ledger_entries')
    .select('created_at')
    .where('order_id', '=', order_id)
    .where('provider', '=', provider)
    .where('kind', '=', 'payment')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

export const insertRefund = (trx: Transaction, refund: Insertable<Tables['refunds']>) =>
  trx.insertInto('refunds').values(refund).returningAll().executeTakeFirstOrThrow()

export const findRefund = (db: Database, id: string) =>
  db.selectFrom('refunds').selectAll().where('id', '=', id).executeTakeFirst()

export const findRefunds = (db: Database, order_id: string) =>
  db
    .selectFrom('refunds')
    .selectAll()
    .where('order_id', '=', order_id)
    .orderBy('created_at')
    .execute()

/** Refunds not known to be claimed, least recently checked first. */
export const findUnclaimed = (db: Database, limit: number) =>
  db
    .selectFrom('refunds')
    .select(['id', 'sealed_claim'])
    .where('status', '=', 'done')
    .where('paid_out_at', 'is', null)
    .orderBy('claim_asked_at', (order) => order.asc().nullsFirst())
    .limit(limit)
    .execute()

export const noteAsked = (
  db: Database,
  id: string,
  change: { claim_asked_at: Date; paid_out_at: Date | null },
) =>
  db
    .updateTable('refunds')
    .set(change)
    .where('id', '=', id)
    .where('status', '=', 'done')
    .where('paid_out_at', 'is', null)
    .execute()

export const findQueued = (db: Database, limit: number) =>
  db
    .selectFrom('refunds')
    .select('id')
    .where('status', '=', 'queued')
    // During a dispute the bank decides about the money.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('disputes')
            .select('disputes.id')
            .whereRef('disputes.payment_id', '=', 'refunds.payment_id')
            .where('disputes.status', '=', 'open'),
        ),
      ),
    )
    .orderBy('created_at')
    .limit(limit)
    .execute()

export const findRefundPage = (db: Database, query: RefundQuery) =>
  readPage(
    db,
    db
      .selectFrom('refunds')
      .$if(query.status !== undefined, (rows) => rows.where('status', '=', query.status ?? 'done')),
    query,
  )

type Status = RefundsTable['status']

/** Returns false if it is in another state. */
export async function moveRefund(
  trx: Transaction,
  { id, from, to }: { id: string; from: Status; to: Status },
  change: Updateable<Tables['refunds']>,
): Promise<boolean> {
  const movedRefund = await trx
    .updateTable('refunds')
    .set({ ...change, status: to })
    .where('id', '=', id)
    .where('status', '=', from)
    .returning('id')
    .executeTakeFirst()
  return movedRefund !== undefined
}

/** Compares normalised: older entries may spell the same reference differently. */
export const findSameCash = (db: Database, reference: string) =>
  db
    .selectFrom('ledger_entries')
    .select('id')
    .where('provider', '=', 'cash')
    .where(
      sql<string>`lower(trim(regexp_replace(regexp_replace(normalize(reference, NFKC),
        '[\u2010-\u2015\u2212]', '-', 'g'), '\\s+', ' ', 'g')))`,
      '=',
      reference,
    )
    .executeTakeFirst()

export const findBooked = (db: Database, provider: string, references: readonly string[]) =>
  db
    .selectFrom('ledger_entries')
    .select('reference')
    .where('provider', '=', provider)
    .where('reference', 'in', references)
    .execute()

export const findSent = (db: Database, attempt_id: string) =>
  db
    .selectFrom('refunds')
    .innerJoin('ledger_entries as payment', 'payment.id', 'refunds.payment_id')
    .select(['refunds.id', 'refunds.reference'])
    .where('payment.attempt_id', '=', attempt_id)
    .where('refunds.status', '=', 'done')
    .where('refunds.reference', 'is not', null)
    // An operator may have typed the reference of a failed refund.
    .where('refunds.is_given_by_hand', '=', false)
    .whereRef('refunds.by_bank_in_cents', '<', 'refunds.amount_in_cents')
    .execute()

/** The payments that came through an attempt. */
export const findPaymentsOf = (db: Database, attempt_id: string) =>
  db
    .selectFrom('ledger_entries')
    .selectAll()
    .where('attempt_id', '=', attempt_id)
    .where('kind', '=', 'payment')
    .execute()

/** Returns undefined if it is known. */
export const insertDispute = (trx: Transaction, dispute: Insertable<Tables['disputes']>) =>
  trx
    .insertInto('disputes')
    .values(dispute)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()

export const updateDispute = (
  trx: Transaction,
  id: string,
  change: Updateable<Tables['disputes']>,
) =>
  trx
    .updateTable('disputes')
    .set(change)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

export const findDispute = (db: Database, id: string) =>
  db.selectFrom('disputes').selectAll().where('id', '=', id).executeTakeFirst()

export const findDisputeNamed = (db: Database, reference: string) =>
  db.selectFrom('disputes').selectAll().where('reference', '=', reference).executeTakeFirstOrThrow()

export const findDisputeReferences = (db: Database, references: readonly string[]) =>
  db.selectFrom('disputes').select('reference').where('reference', 'in', references).execute()

export const findDisputes = (db: Database, order_ids: readonly string[]) =>
  db
    .selectFrom('disputes')
    .selectAll()
    .where('order_id', 'in', order_ids)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

export const findOpenDispute = (db: Database, payment_id: number) =>
  db
    .selectFrom('disputes')
    .select('id')
    .where('payment_id', '=', payment_id)
    .where('status', '=', 'open')
    .executeTakeFirst()

/** Attempts with an open dispute. */
export const findDisputedAttempts = (db: Database) =>
  db
    .selectFrom('disputes')
    .innerJoin('ledger_entries as payment', 'payment.id', 'disputes.payment_id')
    .select('payment.attempt_id')
    .distinct()
    .where('disputes.status', '=', 'open')
    .execute()

export const findDisputePage = (
  db: Database,
  { status, awaits_decision, ...query }: DisputeQuery,
) =>
  readPage(
    db,
    db
      .selectFrom('disputes')
      .$if(status !== undefined, (rows) => rows.where('status', '=', status ?? 'open'))
      .$if(awaits_decision !== undefined, (rows) =>
        rows.where('awaits_decision', '=', awaits_decision ?? true),
      ),
    query,
  )

export const rewrap = (db: Database, anew: (id: string, sealedText: string) => string) =>
  rewrapColumn(db, { table: 'refunds', column: 'sealed_claim' }, anew)

/** The entries of an order, with the operators who booked them. */
export const findEntriesWithActors = (db: Database, order_id: string) =>
  db
    .selectFrom('ledger_entries as entry')
    .leftJoin('users', 'users.id', 'entry.actor_id')
    .select(['entry.id', 'kind', 'amount_in_cents', 'provider', 'reference', 'reason', 'actor_id'])
    .select(['users.email as actor_email', 'entry.created_at'])
    .where('order_id', '=', order_id)
    .orderBy('entry.id')
    .execute()
