import { transact } from '../../../platform/database/database.ts'
import {
  type PaymentProvider,
  type Refund,
  RefusedError,
} from '../../../platform/payments/gateway.ts'
import { toMinuteText } from '../../../platform/time.ts'
import type { Transaction } from '../../../tables.ts'
import { restOf } from '../ledger/ledger.ts'
import { orderNumber } from '../orders/orders.ts'
import { findGateway, isOver } from '../purchases/purchases.ts'
import type { Deps, RefundGateway } from './refunds.ts'
import * as rules from './rules.ts'

/** Sends a refund. Throws if a retry may succeed; the job then retries it. */
export async function sendRefund(deps: Deps, id: string): Promise<void> {
  const { ledger, db, purchases } = deps
  const refund = await ledger.findRefund(id)
  if (refund?.status !== 'queued') return
  // During a dispute the bank may return the money, so it must not be sent a second time.
  if (await ledger.isPaymentDisputed(refund.payment_id)) return
  const rest = await transact(db, (trx) => ledger.settleExcess(trx, id))
  if (rest === 0) return
  const payment = await ledger.findEntry(refund.payment_id)
  const attempt = payment.attempt_id && (await purchases.findAttempt(payment.attempt_id))
  if (!attempt || attempt.reference === null) throw new Error('The payment of a refund is missing')
  const { reference } = attempt
  const gateway = findGateway<RefundGateway>(deps, attempt.provider)
  const send = () =>
    gateway.refund({
      reference,
      payment: payment.reference,
      key: id,
      amount_in_cents: rest,
      paid_in_cents: payment.amount_in_cents,
    })
  const sentRefund = await send().catch(async (error) => {
    // BTCPay refunds no invoice that can still be paid. The check of its attempt ends it.
    if (!(error instanceof RefusedError) || (await canBePaid(gateway, reference))) throw error
    // That check may have ended it since the refusal.
    return send().catch(ignoreRefusal)
  })
  if (sentRefund && !sentRefund.has_failed) return finishSent(deps, refund, sentRefund)
  await transact(db, (trx) => ledger.leaveToOperators(trx, id, 'queued'))
}

async function canBePaid(
  gateway: Pick<PaymentProvider, 'look'>,
  reference: string,
): Promise<boolean> {
  const state = await gateway.look(reference).catch(ignoreRefusal)
  return state !== undefined && !isOver(state)
}

function ignoreRefusal(error: unknown): undefined {
  if (!(error instanceof RefusedError)) throw error
}

/**
 * Asks the provider for a refund before an operator pays it by hand: a call with a lost response
 * may have succeeded. Returns whether the provider pays, or the buyer has claimed it.
 */
export async function recoverRefund(deps: Deps, id: string): Promise<boolean> {
  const { ledger, gateways, purchases } = deps
  const refund = await ledger.findRefund(id)
  if (!refund || refund.status === 'done') return false
  const payment = await ledger.findEntry(refund.payment_id)
  const attempt = payment.attempt_id && (await purchases.findAttempt(payment.attempt_id))
  if (!attempt || !gateways[attempt.provider]) return false
  const gateway = findGateway<RefundGateway>(deps, attempt.provider)
  const call = gateway.findRefund({ payment: payment.reference, key: id })
  // The provider may not know the payment.
  const providerRefund = await call.catch(ignoreRefusal)
  if (!providerRefund || providerRefund.has_failed) return false
  if (refund.status === 'by_hand' && !providerRefund.is_taken) return false
  await finishSent(deps, refund, providerRefund)
  return true
}

/** Checks which refunds were claimed and paid out. */
export async function reviewClaims({ gateways, ledger }: Deps): Promise<void> {
  if (!gateways.crypto) return
  let failure: unknown
  for (const { id, claim_url } of await ledger.findUnclaimedRefunds()) {
    const call = gateways.crypto.isPaidOut(claim_url ?? '')
    const isPaidOut = await call.catch((error) => {
      // A claim that the provider rejects or does not know must not stop the others.
      if (!(error instanceof RefusedError)) failure = error
      return false
    })
    await ledger.recordClaim(id, isPaidOut)
  }
  if (failure) throw failure
}

async function finishSent(
  deps: Deps,
  refund: { id: string; order_id: string; amount_in_cents: number; by_bank_in_cents: number },
  sentRefund: Refund,
): Promise<void> {
  const { ledger, db } = deps
  const { id, order_id } = refund
  const { claim_url } = sentRefund
  await transact(db, async (trx) => {
    if (!(await ledger.finishRefund(trx, id, sentRefund))) return
    const amount_in_cents = restOf(refund)
    await mailRefund(deps, trx, { id, order_id, amount_in_cents, claim_url })
  })
}

/** Emails the buyer that a refund was sent, with the claim link if the provider created one. */
async function mailRefund(
  { orders, accounts, ledger, notifications }: Deps,
  trx: Transaction,
  {
    id,
    order_id,
    amount_in_cents,
    claim_url,
  }: { id: string; order_id: string; amount_in_cents: number; claim_url: string | null },
): Promise<void> {
  const order = await orders.loadToChange(trx, order_id)
  const user = await accounts.findAccount(order.user_id, trx)
  // A deleted account cannot claim it.
  if (claim_url && user?.deleted_at) await ledger.leaveToOperators(trx, id, 'done')
  if (!user?.email) return
  // During that time the account may be a thief's. The link is shown to its owner afterwards.
  const until = claim_url === null ? undefined : await accounts.findUnsettledUntil(user.id, trx)
  const claim = until ? { claim_from: toMinuteText(until) } : claim_url && { link: claim_url }
  const letter = rules.refundSent({ order_number: orderNumber(order), amount_in_cents, ...claim })
  const page = `/orders/${order_id}`
  const mailboxes = until
    ? await accounts.mailboxesFor(trx, user)
    : [{ to: user.email, user_id: user.id }]
  for (const { to, user_id } of mailboxes) {
    await notifications.queueMail(trx, { to, user_id, kind: 'refund_sent', page, letter })
  }
}
