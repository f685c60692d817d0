import type { Sealer } from '../../platform/crypto/seal.ts'
import { transact } from '../../platform/database/database.ts'
import { toPage } from '../../platform/http/paging.ts'
import { addJob, withoutJob } from '../../platform/jobs/jobs.ts'
import type { Dispute, Refund } from '../../platform/payments/gateway.ts'
import type { Database, Transaction } from '../../tables.ts'
import * as entries from './repository.ts'
import {
  allocate,
  isUnsettled,
  nothing,
  paidByBank,
  type Sums,
  statusAfter,
  sumsOf,
} from './rules.ts'
import type { DisputeQuery, RefundQuery } from './schema.ts'
import type { DisputeRow, LedgerEntry, RefundKind, RefundRow } from './table.ts'

export type Ledger = ReturnType<typeof createLedger>

type Options = { db: Database; sealer: Sealer; now: () => Date }
type Entry = Omit<Parameters<typeof entries.insertEntry>[1], 'created_at'>
type PayBack = {
  order_id: string
  amount_in_cents: number
  kind: RefundKind
  reason: string
  actor_id: string | null
}

export const refundTask = 'payments.refund'
const requeuedAtOnce = 1_000
const claimsAtOnce = 100
const queueRefund = (trx: Transaction, id: string) =>
  addJob(trx, refundTask, { id }, { max_attempts: 100 })

/** Money that came in and is owed back. Every sum that anybody is shown is made from it. */
export function createLedger({ db, sealer, now }: Options) {
  const book = (trx: Transaction, entry: Entry) =>
    entries.insertEntry(trx, { ...entry, created_at: now() })

  /** For everybody: whoever knows the link to a claim can take the money. */
  const show = ({ sealed_claim, ...refund }: RefundRow) => ({
    ...refund,
    claim_url: null,
    has_claim: sealed_claim !== null,
  })
  const showToBuyer = (refund: RefundRow) => {
    const { id, sealed_claim } = refund
    const claim_url = sealed_claim && sealer.open(sealed_claim, placeOf(id)).toString()
    return { ...show(refund), claim_url }
  }

  /** The payments for an order, each with what was not given back of it. */
  const leftOf = async (trx: Transaction, order_id: string) => {
    const booked = await entries.findEntries(trx, [order_id])
    const refunds = await entries.findRefunds(trx, order_id)
    const disputes = await entries.findDisputes(trx, [order_id])
    return booked
      .filter(({ kind }) => kind === 'payment' || kind === 'cash')
      .map((payment) => {
        const back = refunds.filter(({ payment_id }) => payment_id === payment.id)
        const given = back.reduce((sum, { amount_in_cents }) => sum + amount_in_cents, 0)
        const taken = disputes
          .filter(({ payment_id }) => payment_id === payment.id)
          .reduce((sum, { taken_in_cents }) => sum + taken_in_cents, 0)
        return { payment, left: Math.max(0, payment.amount_in_cents - given - taken) }
      })
  }

  return {
    /** How much of what was paid can be given back. */
    refundable: async (trx: Transaction, order_id: string): Promise<number> =>
      (await leftOf(trx, order_id)).reduce((sum, { left }) => sum + left, 0),

    /** Answers nothing when the same was booked before. */
    book,
    /** Which of these references stand in the ledger. */
    async bookedOf(trx: Transaction, provider: string, references: readonly string[]) {
      if (references.length === 0) return new Set<string>()
      const found = await entries.findBooked(trx, provider, references)
      return new Set(found.map(({ reference }) => reference))
    },
    /** The attempt that a payment was booked for. */
    attemptOf: async (provider: string, reference: string): Promise<string | undefined> =>
      (await entries.findPayment(db, provider, reference))?.attempt_id ?? undefined,
    /** When a card paid for an order, the last time. */
    lastPaidByCard: async (from: Database | Transaction, order_id: string) =>
      (await entries.findLastOf(from, order_id, 'card'))?.created_at,
    find: (id: number) => entries.findEntry(db, id),
    async findRefund(id: string) {
      const refund = await entries.findRefund(db, id)
      return refund && show(refund)
    },
    async refundsOf(order_id: string, isForBuyer: boolean) {
      const found = await entries.findRefunds(db, order_id)
      return found.map(isForBuyer ? showToBuyer : show)
    },
    async refunds(query: RefundQuery) {
      const { rows, total } = await entries.findRefundPage(db, query)
      return toPage(rows.map(show), total, query)
    },

    async sums(from: Database | Transaction, order_ids: readonly string[]) {
      const sums = new Map<string, Sums>(order_ids.map((id) => [id, nothing]))
      if (order_ids.length === 0) return sums
      const found = await entries.findEntries(from, order_ids)
      const sent = await entries.findMiscSent(from, order_ids)
      for (const id of sums.keys()) {
        const paidOut = sent
          .filter(({ order_id }) => order_id === id)
          .reduce((sum, { amount_in_cents }) => sum + amount_in_cents, 0)
        const ofOrder = found.filter(({ order_id }) => order_id === id)
        sums.set(id, sumsOf(ofOrder, paidOut))
      }
      return sums
    },

    /** Owes money back from now on; a job gives it back where it came from. */
    async payBack(trx: Transaction, { amount_in_cents: amount, ...refund }: PayBack) {
      const { order_id, kind, reason, actor_id } = refund
      const made = []
      for (const { payment, amount_in_cents } of allocate(await leftOf(trx, order_id), amount)) {
        const isByHand = payment.kind === 'cash'
        const row = await entries.insertRefund(trx, {
          ...refund,
          amount_in_cents,
          payment_id: payment.id,
          created_at: now(),
          done_at: null,
          status: isByHand ? 'by_hand' : 'queued',
          reference: null,
          sealed_claim: null,
        })
        await book(trx, {
          order_id,
          attempt_id: payment.attempt_id,
          kind,
          actor_id,
          reason,
          amount_in_cents: -amount_in_cents,
          provider: 'refund',
          reference: row.id,
        })
        if (!isByHand) await queueRefund(trx, row.id)
        made.push(row)
      }
      return made
    },

    /** Tells `false` when it was done before. */
    finishRefund: (trx: Transaction, id: string, sent: Pick<Refund, 'reference' | 'claim_url'>) => {
      const { reference, claim_url } = sent
      const sealed_claim = claim_url && sealer.seal(claim_url, placeOf(id))
      const paid_out_at = claim_url === null ? now() : null
      const change = { reference, sealed_claim, done_at: now(), paid_out_at }
      return entries.moveRefund(trx, { id, from: 'queued', to: 'done' }, change)
    },
    /** The same, of money that a person gave back. */
    finishByHand: (trx: Transaction, id: string, reference: string) =>
      entries.moveRefund(
        trx,
        { id, from: 'by_hand', to: 'done' },
        { reference, sealed_claim: null, done_at: now(), paid_out_at: now() },
      ),
    /** Refunds that buyers have to claim, some at a time. */
    unclaimed: () => entries.findUnclaimed(db, claimsAtOnce),
    noteClaim: (id: string, isPaidOut: boolean) =>
      entries.noteAsked(db, id, { claim_asked_at: now(), paid_out_at: isPaidOut ? now() : null }),
    /** What a provider was asked to give back for an attempt. */
    sentOf: (attempt_id: string) => entries.findSent(db, attempt_id),
    /** Money that is owed back is sent, whatever became of the job that was to do it. */
    async requeueLost(): Promise<void> {
      const queued = (await entries.findQueued(db, requeuedAtOnce)).map(({ id }) => id)
      for (const id of await withoutJob(db, refundTask, queued)) {
        await transact(db, (trx) => queueRefund(trx, id))
      }
    },
    /** Which refund this is, as the audit log names it. */
    async about(trx: Transaction, id: string) {
      const refund = await entries.findRefund(trx, id)
      return refund && { refund_id: id, order_id: refund.order_id }
    },
    paymentsOf: (attempt_id: string) => entries.findPaymentsOf(db, attempt_id),

    /** Keeps what a provider tells of a dispute; answers it, and what it was before. */
    async noteDispute(trx: Transaction, payment: LedgerEntry, told: Dispute) {
      const { status, reference, amount_in_cents, reason, opened_at, answer_until } = told
      const news = { amount_in_cents, reason, answer_until }
      const made = await entries.insertDispute(trx, {
        ...news,
        reference,
        status,
        opened_at,
        created_at: now(),
        payment_id: payment.id,
        order_id: payment.order_id,
        closed_at: status === 'open' ? null : now(),
        decision: null,
        decision_reason: null,
        decided_at: null,
        decided_by: null,
      })
      if (made) return { dispute: made, before: undefined }
      const known = await entries.findDisputeNamed(trx, reference)
      const after = statusAfter(known.status, status)
      // What was booked for a lost one stays as it is.
      if (known.status === 'lost') return { dispute: known, before: known.status }
      const dispute = await entries.updateDispute(trx, known.id, {
        ...news,
        status: after,
        closed_at: after === known.status ? known.closed_at : now(),
      })
      return { dispute, before: known.status }
    },
    /**
     * The bank decided for the buyer. Refunds that were planned are paid with that, and not again;
     * answers what it took beyond them.
     */
    async bookLost(trx: Transaction, { id, payment_id, order_id, ...dispute }: DisputeRow) {
      const planned = (await entries.findRefunds(trx, order_id)).filter(
        (refund) => refund.payment_id === payment_id,
      )
      const { reference, amount_in_cents } = dispute
      const { paid, left } = paidByBank(planned, amount_in_cents)
      for (const { id: refund_id, status } of paid) {
        const change = { reference, sealed_claim: null, done_at: now(), paid_out_at: now() }
        await entries.moveRefund(trx, { id: refund_id, from: status, to: 'done' }, change)
      }
      const payment = await entries.findEntry(trx, payment_id)
      if (left > 0) {
        await book(trx, {
          order_id,
          attempt_id: payment.attempt_id,
          kind: 'dispute',
          actor_id: null,
          amount_in_cents: -left,
          provider: 'dispute',
          reference,
          reason: dispute.reason,
        })
      }
      await entries.updateDispute(trx, id, { taken_in_cents: left })
      return left
    },
    updateDispute: entries.updateDispute,
    findDispute: (id: string, from: Database | Transaction = db) => entries.findDispute(from, id),
    async disputesOf(from: Database | Transaction, order_ids: readonly string[]) {
      return order_ids.length === 0 ? [] : entries.findDisputes(from, order_ids)
    },
    disputes: (query: DisputeQuery) => entries.findDisputePage(db, query),
    /** Whether the money of an order is a bank's to decide about, or what was bought an operator's. */
    isDisputed: async (trx: Transaction, order_id: string): Promise<boolean> =>
      (await entries.findDisputes(trx, [order_id])).some(isUnsettled),
    isPaymentDisputed: async (payment_id: number): Promise<boolean> =>
      (await entries.findOpenDispute(db, payment_id)) !== undefined,
    /** The attempts whose payments banks have not decided about. */
    disputedAttempts: async (): Promise<string[]> =>
      (await entries.findDisputedAttempts(db)).flatMap(({ attempt_id }) => attempt_id ?? []),
    /** No provider gives it back: from now on a person has to. */
    leaveToPeople: (trx: Transaction, id: string, from: 'queued' | 'done') =>
      entries.moveRefund(
        trx,
        { id, from, to: 'by_hand' },
        { reference: null, sealed_claim: null, done_at: null, paid_out_at: null },
      ),
  }
}

/** Wraps every claim with the current master key. Answers how many it was. */
export const rewrapClaims = (db: Database, sealer: Sealer): Promise<number> =>
  entries.rewrap(db, (id, sealed) => sealer.rewrap(sealed, placeOf(id)))

/** Sealed for its own row alone. */
const placeOf = (id: string): string => `refund claim ${id}`
