import { randomUUID } from 'node:crypto'
import type { EmojiId } from '@emojid/core'
import type { PaymentState } from '../../../platform/payments/gateway.ts'
import type { Transaction } from '../../../tables.ts'
import { boxesIn, isId, type LoadedOrder, type Snapshot } from '../orders/orders.ts'
import { cancelOrder } from './end-unpaid.ts'
import { bookPayment, type Gone, grantIfPaid, ItemsGone, refundExcess } from './grant.ts'
import { mailRefusedCard, notifyCancellation } from './mails.ts'
import { hasOrderRisen } from './price-order.ts'
import type { Deps } from './purchases.ts'
import type { Attempt } from './repository.ts'
import * as attempts from './repository.ts'
import * as rules from './rules.ts'

/** A payment for a closed checkout buys a new order, created from the snapshot of the attempt. */
export async function creditLate(
  deps: Deps,
  trx: Transaction,
  attempt: Attempt,
  state: PaymentState,
  isOfRemoved: boolean,
  gone: Gone,
) {
  const { orders } = deps
  const unbooked = await findUnbooked(deps, trx, attempt, state)
  if (unbooked.length === 0) return
  const lateOrderId = attempt.late_order_id
  const late = lateOrderId
    ? await orders.loadToChange(trx, lateOrderId)
    : await reopenOrder(deps, trx, attempt)
  const { order, sum } = await bookPayment(deps, trx, attempt, late, state)
  if (lateOrderId) return refundExcess(deps, trx, order, sum)
  const isGone = isOfRemoved || gone.includes('late order')
  if (!isGone && (await buyLate(deps, trx, order, attempt))) return
  const cause = isOfRemoved
    ? 'a removed person paid with this card'
    : 'the payment arrived too late'
  const refunded = await cancelOrder(deps, trx, order, cause)
  if (!isOfRemoved) return notifyCancellation(deps, trx, order, refunded)
  await attempts.setCloseReason(trx, attempt.id, 'barred_card')
  await mailRefusedCard(deps, trx, order, refunded)
}

/** Returns false if the order cannot be bought. Throws `ItemsGone` once something was written. */
async function buyLate(
  deps: Deps,
  trx: Transaction,
  late: LoadedOrder,
  { seen_in_hold }: Attempt,
): Promise<boolean> {
  const { accounts, now, emojiIds, lootboxSales } = deps
  // A buyer could otherwise keep an old invoice and pay it once prices have risen.
  if (!seen_in_hold && (await hasOrderRisen(deps, trx, late))) return false
  const which = 'late order'
  if (!(await reserveCodes(deps, trx, late))) throw new ItemsGone(which)
  // Lock order: the buyer before the ids, as in a checkout.
  const buyer = await accounts.findAccountToChange(trx, late.user_id)
  if (!buyer || buyer.deleted_at) throw new ItemsGone(which)
  const ids = late.items.filter(isId).map(({ emoji_id }) => emoji_id as EmojiId)
  const holder = { order_id: late.id, user_id: late.user_id, expires_at: now() }
  const { taken, held } = await emojiIds.holdIds(trx, holder, ids)
  const offers = await lootboxSales.holdLootboxes(trx, holder, boxesIn(late.items))
  const isOffered = [...offers.values()].every(({ availability }) => availability === 'Available')
  if (taken.length + held.length > 0 || !isOffered) throw new ItemsGone(which)
  if (!(await grantIfPaid(deps, trx, late, { which }))) throw new ItemsGone(which)
  return true
}

async function reopenOrder(
  { orders, now }: Deps,
  trx: Transaction,
  attempt: Attempt,
): Promise<LoadedOrder> {
  const stored = await attempts.findAttempt(trx, attempt.id)
  const { pubkey, organization_id, items } = (stored ?? attempt).snapshot as Snapshot
  const cart = await orders.createCart(trx, attempt.user_id, {
    pubkey,
    organization_id,
    method: attempt.method,
    status: 'PendingPayment',
    is_filled: true,
    expires_at: now(),
  })
  const newIds = new Map(items.map(({ id }) => [id, randomUUID()]))
  const at = now()
  const copied = await orders.insertItems(
    trx,
    items.map((item) => ({
      ...item,
      id: newIds.get(item.id) as string,
      order_id: cart.id,
      parent_id: item.parent_id && (newIds.get(item.parent_id) ?? null),
      marked_invalid_at: null,
      marked_invalid_at_reason: null,
      created_at: at,
      updated_at: at,
    })),
  )
  await attempts.setLateOrder(trx, attempt.id, cart.id)
  return { ...cart, items: copied }
}

/** Payments that are not in the ledger yet. */
async function findUnbooked(
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

/** Reserves the codes of the order's discounts again; returns false if one is used up. */
const reserveCodes = (
  { codes }: Deps,
  trx: Transaction,
  { id, user_id, items }: LoadedOrder,
): Promise<boolean> =>
  codes.reserveCodesAgain(trx, { order_id: id, user_id }, rules.codeUsesOf(items))
