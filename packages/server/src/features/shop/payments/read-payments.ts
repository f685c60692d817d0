import {
  type Gateway,
  type PaymentObject,
  type PaymentState,
  UnpayableAmountError,
} from '../../../platform/payments/gateway.ts'
import type { Database, Transaction } from '../../../tables.ts'
import type { Deps } from './payments.ts'
import type { Attempt, CloseReason, Provider, ProviderMethod } from './repository.ts'
import * as attempts from './repository.ts'
import * as rules from './rules.ts'
import type { PaymentMethodData } from './schema.ts'
import { sealContext } from './seal-payment.ts'

export function findGateway({ gateways }: Deps, provider: Provider): Gateway {
  const gateway = gateways[provider]
  if (!gateway) throw rules.unavailableMethod(provider)
  return gateway
}

export function openObject({ sealer }: Deps, { id, sealed }: Attempt): PaymentObject | undefined {
  return sealed === null ? undefined : JSON.parse(sealer.open(sealed, sealContext(id)).toString())
}

export function isOffered(
  { gateways }: Deps,
  method: ProviderMethod,
  amount_in_cents: number,
): boolean {
  return Boolean(gateways[rules.providerFor(method)]) && rules.isPayable(method, amount_in_cents)
}

export function assertOffered(
  { gateways }: Deps,
  method: ProviderMethod,
  amount_in_cents: number,
): void {
  if (!gateways[rules.providerFor(method)]) throw rules.unavailableMethod(method)
  if (!rules.isPayable(method, amount_in_cents)) throw new UnpayableAmountError()
}

/** Whether money for a checkout arrived or is pending, not counting one attempt. */
export async function isUnderWay(
  trx: Transaction,
  { id, round }: { id: string; round: number },
  except?: string,
): Promise<boolean> {
  return (await attempts.findSeen(trx, id, round)).some((attempt) => attempt.id !== except)
}

/** The attempts of these orders that can still be paid, by order. */
export async function findOpenPayments(from: Database | Transaction, order_ids: readonly string[]) {
  if (order_ids.length === 0) return new Map<string, Attempt>()
  const rows = await attempts.findOpen(from, order_ids)
  return new Map(rows.map((attempt) => [attempt.order_id, attempt]))
}

/** Which of these orders have money that arrived or is pending. */
export async function findOrdersWithMoney(
  { db }: Deps,
  order_ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (order_ids.length === 0) return new Set()
  const rows = await attempts.findOrdersWithMoney(db, order_ids)
  return new Set(rows.map(({ order_id }) => order_id))
}

/** Why the last payment of these orders was refunded or released, by order. */
export async function findCloseReasons({ db }: Deps, order_ids: readonly string[]) {
  if (order_ids.length === 0) return new Map<string, CloseReason>()
  const rows = await attempts.findCloseReasons(db, order_ids)
  return new Map(rows.flatMap(({ id, close_reason }) => (close_reason ? [[id, close_reason]] : [])))
}

/** All payment attempts of an order, for operators. */
export const listAttempts = ({ db }: Deps, order_id: string) =>
  attempts.findAttemptsOf(db, order_id)

/** The payment details for the buyer; null until the provider has created the object. */
export function showPaymentData(deps: Deps, attempt: Attempt | undefined) {
  const object = attempt && openObject(deps, attempt)
  return object ? rules.dataOf(attempt, object) : null
}

/** How orders were paid, without secrets; only orders paid through a provider. */
export async function findPaidData({ db }: Deps, order_ids: readonly string[]) {
  if (order_ids.length === 0) return new Map<string, PaymentMethodData>()
  const rows = await attempts.findPaying(db, order_ids)
  return new Map(
    rows.map(({ paid_order_id, ...attempt }) => [paid_order_id, rules.paidDataOf(attempt)]),
  )
}

/** Payments that are not in the ledger yet. */
export async function findUnbooked(
  { ledger }: Deps,
  trx: Transaction,
  { provider }: Attempt,
  { payments: reports }: PaymentState,
) {
  const references = reports.map(({ reference }) => reference)
  const bookedReferences = await ledger.findBooked(trx, provider, references)
  return reports.filter(
    ({ reference, amount_in_cents }) => amount_in_cents > 0 && !bookedReferences.has(reference),
  )
}
