import { undoUnless } from '../../../platform/database/savepoint.ts'
import type { PaymentState } from '../../../platform/payments/gateway.ts'
import type { Transaction } from '../../../tables.ts'
import type { Sums } from '../ledger/ledger.ts'
import {
  boxesIn,
  isId,
  type LoadedOrder,
  recordOrderEvent,
  shortfallForgiven,
  totalOf,
} from '../orders/orders.ts'
import { closePayments } from './attempts.ts'
import { heldBy, holdOrderUntil } from './hold-items.ts'
import type { Deps } from './purchases.ts'
import type { Attempt } from './repository.ts'
import * as holds from './repository.ts'
import * as rules from './rules.ts'

/**
 * After a code or another change of the total: returns whether the money that arrived before buys
 * the order.
 */
export const creditReceived = (
  deps: Deps,
  trx: Transaction,
  pending: LoadedOrder,
  actor_id: string | null,
): Promise<boolean> =>
  undoUnless(
    trx,
    async () => (await grantIfCovered(deps, trx, pending, { actor_id })) === 'granted',
  )

/** After cash, an override or a free checkout; returns false if an item is no longer available. */
export async function creditByHand(
  deps: Deps,
  trx: Transaction,
  pending: LoadedOrder,
  actor_id: string,
): Promise<boolean> {
  const outcome = await grantIfPaid(deps, trx, pending, { actor_id })
  if (outcome === 'short')
    await holdOrderUntil(deps, trx, pending, rules.settlementDeadline(pending))
  return outcome !== 'gone'
}

/**
 * Fulfils an order whose received money covers its total. Without any money it waits for its
 * checkout with the method Free.
 */
export async function grantIfCovered(
  deps: Deps,
  trx: Transaction,
  pending: LoadedOrder,
  by: GrantedBy = {},
) {
  const sums = await deps.orders.loadSums(trx, pending.id)
  return sums.received > 0 ? grantIfPaid(deps, trx, pending, by, sums) : 'short'
}

/** Fulfils the order if enough was paid for it. */
export async function grantIfPaid(
  deps: Deps,
  trx: Transaction,
  pending: LoadedOrder,
  by: GrantedBy = {},
  sums?: Sums,
): Promise<'granted' | 'gone' | 'short'> {
  const { orders, ledger } = deps
  const { received, disputed } = sums ?? (await orders.loadSums(trx, pending.id))
  const receivedSum = received - disputed
  const total = totalOf(pending.items)
  const short = Math.max(0, total - receivedSum)
  // The tolerance of cryptocurrency is for money that came that way, whatever is chosen now.
  const provider = short > 0 && (await ledger.hasCoins(trx, pending.id)) ? 'crypto' : 'card'
  if (short > shortfallForgiven(total, provider)) return 'short'
  // The buyer's bank may reverse disputed money, so it grants no ids.
  if (await ledger.isDisputed(trx, pending.id)) return 'short'
  if (short > 0) {
    await ledger.bookEntry(trx, {
      order_id: pending.id,
      attempt_id: null,
      kind: 'write_off',
      amount_in_cents: short,
      provider: 'write_off',
      reference: pending.id,
      reason: null,
      actor_id: null,
    })
  }
  if (!(await fulfilOrder(deps, trx, pending, by))) return 'gone'
  await refundExcess(deps, trx, pending, receivedSum - total)
  return 'granted'
}

/** Refunds overpayments. Large amounts in cryptocurrency are left to operators. */
export async function refundExcess(
  { ledger }: Deps,
  trx: Transaction,
  paidOrder: LoadedOrder,
  amount_in_cents: number,
) {
  if (amount_in_cents <= 0) return
  await ledger.bookRefund(trx, {
    order_id: paidOrder.id,
    amount_in_cents,
    actor_id: null,
    kind: 'misc_refund',
    reason: 'overpayment',
    automatic_up_to: rules.largestExcess(totalOf(paidOrder.items)),
  })
}

/** Books the payments that are not in the ledger yet; returns their sum. */
export async function bookPayment(
  { ledger }: Deps,
  trx: Transaction,
  attempt: Attempt,
  order_id: string,
  state: PaymentState,
) {
  let bookedCount = 0
  for (const { reference, amount_in_cents } of state.payments) {
    // Dust: its transaction fee or the current rate leaves nothing.
    if (amount_in_cents === 0) continue
    const entry = await ledger.bookEntry(trx, {
      order_id,
      attempt_id: attempt.id,
      kind: 'payment',
      provider: attempt.provider,
      reference,
      amount_in_cents,
      reason: null,
      actor_id: null,
    })
    bookedCount += entry?.amount_in_cents ?? 0
  }
  return bookedCount
}

/** The operator who acts, or the attempt that just paid and is over at its provider. */
export type GrantedBy = { actor_id?: string | null; attempt_id?: string | undefined }

/**
 * Grants the buyer the items of the order. Returns false if one is no longer available; the caller
 * then rolls back.
 */
async function fulfilOrder(
  deps: Deps,
  trx: Transaction,
  order: LoadedOrder,
  { actor_id = null, attempt_id }: GrantedBy,
): Promise<boolean> {
  const { orders, accounts, removals, emojiIds, lootboxSales, codes, now, audit } = deps
  const { items } = order
  const boughtItems = items.filter(isId)
  // Locks the buyer, so that the account cannot be deleted while it gets ids.
  const buyer = await accounts.findAccountToChange(trx, order.user_id)
  if (!buyer || buyer.deleted_at || (await removals.isBarred(trx, buyer))) return false
  const pubkey = await emojiIds.resolveKeyForBuyer(trx, order.user_id, order.pubkey)
  if (!(await emojiIds.grantHeldIds(trx, order, boughtItems, pubkey))) return false
  if (!(await lootboxSales.grantHeldLootboxes(trx, order, boxesIn(items)))) return false
  await holds.removeHoldTimes(trx, order.id, heldBy(order))
  await codes.countCodes(trx, order.id)
  await closePayments(deps, trx, order.id, attempt_id)
  const change = { is_current: false, paid_at: now(), expires_at: null }
  const paidOrder = await orders.moveOrder(trx, order, 'Paid', change)
  if (!paidOrder) return false
  const details = { order_id: order.id, emoji_ids: boughtItems.map(({ emoji_id }) => emoji_id) }
  await audit.writeEntry(trx, 'order.paid', { actor_id, subject_id: order.user_id, details })
  await recordOrderEvent(
    deps,
    trx,
    'order.paid',
    order,
    boughtItems.map(({ emoji_id }) => emoji_id),
  )
  await orders.sendReceipt(trx, order)
  return true
}
