import type { PaymentState } from '../../../platform/payments/gateway.ts'
import type { Transaction } from '../../../tables.ts'
import { sumsOf } from '../ledger/ledger.ts'
import {
  boxesIn,
  isDisputed,
  isId,
  type LoadedOrder,
  recordOrderEvent,
  shortfallForgiven,
  totalOf,
  withEntries,
} from '../orders/orders.ts'
import { closePayments } from './attempts.ts'
import { heldBy, holdOrderUntil } from './hold-items.ts'
import * as payments from './payment-rules.ts'
import type { Deps } from './purchases.ts'
import type { Attempt } from './repository.ts'
import * as holds from './repository.ts'

/**
 * An item of an order is no longer available, or its buyer may not own it. The transaction rolls
 * back, and is repeated without granting that order.
 */
export class ItemsGone extends Error {
  readonly which: 'order' | 'late order'
  constructor(which: 'order' | 'late order') {
    super('An item is no longer available')
    this.which = which
  }
}

/** The orders whose items are gone. */
export type Gone = readonly ItemsGone['which'][]

/** Repeats a transaction that found an item gone; it then knows which order cannot be granted. */
export async function repeatWhenGone<Result>(
  work: (gone: Gone) => Promise<Result>,
  gone: Gone = [],
): Promise<Result> {
  try {
    return await work(gone)
  } catch (error) {
    if (!(error instanceof ItemsGone) || gone.includes(error.which)) throw error
    return repeatWhenGone(work, [...gone, error.which])
  }
}

/**
 * After a code or another change of the total: returns whether the money that arrived before buys
 * the order.
 */
export const creditReceived = async (
  deps: Deps,
  trx: Transaction,
  pending: LoadedOrder,
  gone: Gone,
  actor_id: string | null = null,
): Promise<boolean> =>
  !gone.includes('order') && (await grantIfCovered(deps, trx, pending, { actor_id }))

/** After cash, an override or a free checkout. */
export async function creditByHand(
  deps: Deps,
  trx: Transaction,
  pending: LoadedOrder,
  actor_id: string,
): Promise<void> {
  if (await grantIfPaid(deps, trx, pending, { actor_id })) return
  await holdOrderUntil(deps, trx, pending, payments.settlementDeadline(pending))
}

/**
 * Fulfils an order whose received money covers its total. Without any money it waits for its
 * checkout with the method Free.
 */
export const grantIfCovered = async (
  deps: Deps,
  trx: Transaction,
  pending: LoadedOrder,
  by: GrantedBy,
): Promise<boolean> => sumsOf(pending).received > 0 && (await grantIfPaid(deps, trx, pending, by))

/** Fulfils the order if enough was paid for it. */
export async function grantIfPaid(
  deps: Deps,
  trx: Transaction,
  pending: LoadedOrder,
  by: GrantedBy = {},
): Promise<boolean> {
  const { ledger } = deps
  const { received, disputed } = sumsOf(pending)
  const receivedSum = received - disputed
  const total = totalOf(pending.items)
  const short = Math.max(0, total - receivedSum)
  // The tolerance of cryptocurrency is for money that came that way, whatever is chosen now.
  if (short > shortfallForgiven(total, payments.hasCoins(pending) ? 'crypto' : 'card')) return false
  // The buyer's bank may reverse disputed money, so it grants no ids.
  if (isDisputed(pending)) return false
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
  await fulfilOrder(deps, trx, pending, by)
  await refundExcess(deps, trx, pending, receivedSum - total)
  return true
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
    automatic_up_to: payments.largestExcess(totalOf(paidOrder.items)),
  })
}

/** Books the payments that are not in the ledger yet; returns the order with them, and their sum. */
export async function bookPayment(
  { ledger }: Deps,
  trx: Transaction,
  attempt: Attempt,
  order: LoadedOrder,
  state: PaymentState,
) {
  const entries = []
  for (const { reference, amount_in_cents } of state.payments) {
    // Dust: its transaction fee or the current rate leaves nothing.
    if (amount_in_cents === 0) continue
    const entry = await ledger.bookEntry(trx, {
      order_id: order.id,
      attempt_id: attempt.id,
      kind: 'payment',
      provider: attempt.provider,
      reference,
      amount_in_cents,
      reason: null,
      actor_id: null,
    })
    if (entry) entries.push(entry)
  }
  const sum = entries.reduce((cents, { amount_in_cents }) => cents + amount_in_cents, 0)
  return { order: withEntries(order, entries), sum }
}

type GrantedBy = {
  /** The operator who acts. */
  actor_id?: string | null
  /** The attempt that just paid and is over at its provider. */
  attempt_id?: string | undefined
  which?: ItemsGone['which']
}

/** Grants the buyer the items of the order. */
async function fulfilOrder(
  deps: Deps,
  trx: Transaction,
  order: LoadedOrder,
  { actor_id = null, attempt_id, which = 'order' }: GrantedBy,
): Promise<void> {
  const { orders, accounts, removals, emojiIds, lootboxSales, codes, now, audit } = deps
  const boughtItems = order.items.filter(isId)
  const emoji_ids = boughtItems.map(({ emoji_id }) => emoji_id)
  // Locks the buyer, so that the account cannot be deleted while it gets ids.
  const buyer = await accounts.findAccountToChange(trx, order.user_id)
  if (!buyer || buyer.deleted_at || (await removals.isRemoved(trx, buyer)))
    throw new ItemsGone(which)
  const pubkey = await emojiIds.resolveKeyForBuyer(trx, order.user_id, order.pubkey)
  const isGranted =
    (await emojiIds.grantHeldIds(trx, order, boughtItems, pubkey)) &&
    (await lootboxSales.grantHeldLootboxes(trx, order, boxesIn(order.items)))
  if (!isGranted) throw new ItemsGone(which)
  await holds.removeHoldTimes(trx, order.id, heldBy(order))
  await codes.countCodes(trx, order.id)
  await closePayments(deps, trx, order, attempt_id)
  const change = { is_current: false, paid_at: now(), expires_at: null }
  await orders.moveOrder(trx, order, 'Paid', change)
  const details = { order_id: order.id, emoji_ids }
  await audit.writeEntry(trx, 'order.paid', { actor_id, subject_id: order.user_id, details })
  await recordOrderEvent(deps, trx, 'order.paid', order, emoji_ids)
  await orders.sendReceipt(trx, order, buyer)
}
