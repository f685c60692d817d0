import {
  eventsKeptMs,
  type PaymentObject,
  type PaymentRequest,
  UnpayableAmountError,
} from '../../../platform/payments/gateway.ts'
import { minuteMs } from '../../../platform/time.ts'
import type { Database, Transaction } from '../../../tables.ts'
import {
  type LoadedOrder,
  openAttemptOf,
  type Provider,
  type ProviderMethod,
  sealObject,
} from '../orders/orders.ts'
import * as payments from './payment-rules.ts'
import type { Deps } from './purchases.ts'
import type { Attempt } from './repository.ts'
import * as attempts from './repository.ts'

type Purchase = {
  order_id: string
  user_id: string
  round: number
  method: ProviderMethod
  payment_method: string | null
  amount_in_cents: number
  snapshot: unknown
  urls: { success_url: string; cancel_url: string } | undefined
  expires_at: Date
}

/** Stores an attempt. The provider is called only after the commit. */
export async function preparePayment(
  { now, removals }: Deps,
  trx: Transaction,
  { snapshot, urls, ...purchase }: Purchase,
): Promise<Attempt> {
  const provider = payments.providerFor(purchase.method)
  return attempts.insertAttempt(trx, {
    ...purchase,
    provider,
    is_capture_manual: provider === 'card' && (await removals.hasBarredCard(trx, purchase.user_id)),
    snapshot: JSON.stringify(snapshot),
    success_url: urls?.success_url ?? null,
    cancel_url: urls?.cancel_url ?? null,
    reference: null,
    sealed: null,
    status: 'open',
    close_reason: null,
    late_order_id: null,
    seen_at: null,
    created_at: now(),
    check_at: null,
  })
}

/**
 * Closes the open attempt of an order. A job ends its object at the provider, with retries; the
 * object of `over`, which was just checked, has ended, and its check closes it.
 */
export async function closePayments(
  deps: Deps,
  trx: Transaction,
  order: LoadedOrder,
  over?: string,
): Promise<void> {
  const open = openAttemptOf(order)
  if (open && open.id !== over) await attempts.close(trx, open.id, checkTask, inAMinute(deps))
}

export function findGateway<Gateway>(
  { gateways }: { gateways: { [Name in Provider]?: Gateway | undefined } },
  provider: Provider,
): Gateway {
  const gateway = gateways[provider]
  if (!gateway) throw payments.unavailableMethod(provider)
  return gateway
}

export function isOffered(
  { gateways }: Deps,
  method: ProviderMethod,
  amount_in_cents: number,
): boolean {
  return (
    Boolean(gateways[payments.providerFor(method)]) && payments.isPayable(method, amount_in_cents)
  )
}

export function assertOffered(
  { gateways }: Deps,
  method: ProviderMethod,
  amount_in_cents: number,
): void {
  if (!gateways[payments.providerFor(method)]) throw payments.unavailableMethod(method)
  if (!payments.isPayable(method, amount_in_cents)) throw new UnpayableAmountError()
}

export const findAttempt = ({ db }: Deps, id: string) => attempts.findAttempt(db, id)

/** Returns false if the provider cannot change it; then a new attempt has to replace it. */
export function changeAmount(
  deps: Deps,
  attempt: Attempt,
  amount_in_cents: number,
): Promise<boolean> {
  return attempt.reference === null
    ? Promise.resolve(false)
    : findGateway(deps, attempt.provider).changeAmount(attempt.reference, amount_in_cents)
}

export async function requestOf({ savedCards }: Deps, attempt: Attempt): Promise<PaymentRequest> {
  const { id, success_url, cancel_url } = attempt
  return {
    attempt_id: id,
    amount_in_cents: attempt.amount_in_cents,
    description: payments.describe(attempt),
    customer:
      attempt.provider === 'card'
        ? await savedCards.findOrCreateCustomer(attempt.user_id)
        : undefined,
    urls: success_url !== null && cancel_url !== null ? { success_url, cancel_url } : undefined,
    wallet_only: attempt.method === 'WalletPay',
    payment_method: attempt.payment_method ?? undefined,
    is_capture_manual: attempt.is_capture_manual,
    created_at: attempt.created_at,
    expires_at: attempt.expires_at,
  }
}

export async function storeAttempt(
  deps: Deps,
  { id }: Attempt,
  response: PaymentObject,
): Promise<PaymentObject> {
  const { db } = deps
  const object = {
    reference: response.reference,
    sealed: sealObject(deps, id, response),
    methods: JSON.stringify(response.methods),
    check_at: inAMinute(deps),
  }
  const current = await attempts.setObject(db, id, object)
  // Closed while the provider was called.
  if (current?.status === 'closed') await queueChecks(db, [id])
  return response
}

export const checkTask = 'payments.check'

export const disputeTask = 'payments.dispute'

const checkedPerRun = 200

const inAMinute = ({ now }: Deps) => new Date(now().getTime() + minuteMs)

const queueChecks = (db: Database, ids: readonly string[]) => attempts.queueJobs(db, checkTask, ids)

export const queueDisputes = ({ db }: Deps, ids: readonly string[]) =>
  attempts.queueJobs(db, disputeTask, ids)

/** Checks attempts whose webhook may be lost. */
export async function reconcilePayments({ db, now }: Deps): Promise<void> {
  const due = await attempts.findDue(db, now(), checkedPerRun)
  await queueChecks(
    db,
    due.map(({ id }) => id),
  )
  await attempts.forgetEventsBefore(db, new Date(now().getTime() - eventsKeptMs))
}
