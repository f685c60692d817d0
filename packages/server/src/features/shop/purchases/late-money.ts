import { randomUUID } from 'node:crypto'
import type { EmojiId } from '@emojid/core'
import { undoUnless } from '../../../platform/database/savepoint.ts'
import type { PaymentState } from '../../../platform/payments/gateway.ts'
import type { Transaction } from '../../../tables.ts'
import { isBox, isId, type LoadedOrder, type Snapshot } from '../orders/orders.ts'
import { cancelOrder } from './end-unpaid.ts'
import { bookPayment, grantIfPaid, refundExcess } from './grant.ts'
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
  isBarred: boolean,
) {
  const { orders, accounts, now, emojiIds, lootboxSales } = deps
  const unbooked = await findUnbooked(deps, trx, attempt, state)
  if (unbooked.length === 0) return
  const lateOrderId = attempt.late_order_id
  const late = lateOrderId
    ? await orders.loadOrderToChange(trx, lateOrderId)
    : await reopenOrder(deps, trx, attempt, attempt.snapshot as Snapshot)
  const booked = await bookPayment(deps, trx, attempt, late.id, state)
  if (lateOrderId) return refundExcess(deps, trx, late, booked)
  const isGranted = await undoUnless(trx, async () => {
    if (isBarred) return false
    const buyer = await accounts.findAccount(late.user_id, trx)
    if (!buyer || buyer.deleted_at) return false
    // A buyer could otherwise keep an old invoice and pay it once prices have risen.
    if (!attempt.seen_in_hold && (await hasOrderRisen(deps, trx, late))) return false
    if (!(await reserveCodes(deps, trx, late))) return false
    const { items } = late
    const ids = items.filter(isId).map(({ emoji_id }) => emoji_id as EmojiId)
    const holder = { order_id: late.id, user_id: late.user_id, expires_at: now() }
    const { taken, held } = await emojiIds.holdIds(trx, holder, ids)
    if (taken.length + held.length > 0) return false
    const boxes = items.filter(isBox).map(({ lootbox_id }) => lootbox_id)
    const offers = await lootboxSales.holdLootboxes(trx, holder, boxes)
    const isKept = ({ availability }: { availability: string }) => availability === 'Available'
    if (![...offers.values()].every(isKept)) return false
    return (await grantIfPaid(deps, trx, late)) === 'granted'
  })
  if (isGranted) return
  const cause = isBarred ? 'a removed person paid with this card' : 'the payment arrived too late'
  const refunded = await cancelOrder(deps, trx, late, cause)
  if (!isBarred) return notifyCancellation(deps, trx, late, refunded)
  await attempts.setCloseReason(trx, attempt.id, 'barred_card')
  await mailRefusedCard(deps, trx, late, refunded)
}

async function reopenOrder(
  { orders, now }: Deps,
  trx: Transaction,
  attempt: Attempt,
  snapshot: Snapshot,
): Promise<LoadedOrder> {
  const { pubkey, organization_id, items } = snapshot
  const cart = await orders.createCart(trx, attempt.user_id, {
    pubkey,
    organization_id,
    method: attempt.method,
    status: 'PendingPayment',
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
