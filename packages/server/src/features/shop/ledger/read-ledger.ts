import type { Database, Transaction } from '../../../tables.ts'
import type { Deps } from './ledger.ts'
import * as entries from './repository.ts'

/** The payments of an order, each with the amount that was not refunded. */
export async function findRests(trx: Transaction, order_id: string) {
  const booked = await entries.findEntries(trx, order_id)
  const refunds = await entries.findRefunds(trx, order_id)
  const disputes = await entries.findDisputes(trx, [order_id])
  return booked
    .filter(({ kind }) => kind === 'payment' || kind === 'cash')
    .map((payment) => {
      const paymentRefunds = refunds.filter(({ payment_id }) => payment_id === payment.id)
      const refundedCents = paymentRefunds.reduce(
        (sum, { amount_in_cents }) => sum + amount_in_cents,
        0,
      )
      const takenCents = disputes
        .filter(({ payment_id }) => payment_id === payment.id)
        .reduce((sum, { taken_in_cents }) => sum + taken_in_cents, 0)
      return { payment, rest: Math.max(0, payment.amount_in_cents - refundedCents - takenCents) }
    })
}

export const findRefundable = async (trx: Transaction, order_id: string): Promise<number> =>
  (await findRests(trx, order_id)).reduce((sum, { rest }) => sum + rest, 0)

export async function findBooked(
  trx: Transaction,
  provider: string,
  references: readonly string[],
) {
  if (references.length === 0) return new Set<string>()
  const rows = await entries.findBooked(trx, provider, references)
  return new Set(rows.map(({ reference }) => reference))
}

/** Whether cash is booked under this normalised reference. */
export const isCashBooked = async (trx: Transaction, reference: string): Promise<boolean> =>
  (await entries.findSameCash(trx, reference)) !== undefined

/** The attempt that a payment was booked for. */
export const findAttempt = async (
  { db }: Deps,
  provider: string,
  reference: string,
): Promise<string | undefined> =>
  (await entries.findPayment(db, provider, reference))?.attempt_id ?? undefined

export const findLastCardPayment = async (from: Database, order_id: string) =>
  (await entries.findLastOf(from, order_id, 'card'))?.created_at

export const findEntry = ({ db }: Deps, id: number) => entries.findEntry(db, id)

/** For the audit log. */
export async function describeMoney(trx: Transaction, id: string) {
  const refund = await entries.findRefund(trx, id)
  return refund && { refund_id: id, order_id: refund.order_id }
}

export const findPayments = ({ db }: Deps, attempt_id: string) =>
  entries.findPaymentsOf(db, attempt_id)

export const listEntries = ({ db }: Deps, order_id: string) =>
  entries.findEntriesWithActors(db, order_id)
