import type { Transaction } from '../../../tables.ts'
import { moveOrder } from './change-order.ts'
import { heldBy } from './hold-order.ts'
import { boxesIn } from './load-order.ts'
import type { Deps } from './orders.ts'
import { recordOrderEvent } from './record-event.ts'
import type { LoadedOrder } from './repository.ts'
import * as orders from './repository.ts'
import * as rules from './rules.ts'
import { sendReceipt } from './send-receipt.ts'

/** Reserves the codes of the order's discounts again; returns false if one is used up. */
export const reserveCodes = (
  { codes }: Deps,
  trx: Transaction,
  { id, user_id, items }: LoadedOrder,
): Promise<boolean> =>
  codes.reserveCodesAgain(trx, { order_id: id, user_id }, rules.codeUsesOf(items))

/** The operator who acts, or the attempt that just paid and is over at its provider. */
export type GrantedBy = { actor_id?: string | null; attempt_id?: string | undefined }

/**
 * Grants the buyer the items of the order. Returns false if one is no longer available; the caller
 * then rolls back.
 */
export async function fulfilOrder(
  deps: Deps,
  trx: Transaction,
  order: LoadedOrder,
  { actor_id = null, attempt_id }: GrantedBy,
): Promise<boolean> {
  const { accounts, removals, emojiIds, lootboxSales, codes, payments, now, audit } = deps
  const { items } = order
  const boughtItems = items.filter(rules.isId)
  // Locks the buyer, so that the account cannot be deleted while it gets ids.
  const buyer = await accounts.findAccountToChange(trx, order.user_id)
  if (!buyer || buyer.deleted_at || (await removals.isBarred(trx, buyer))) return false
  const pubkey = await emojiIds.resolveKeyForBuyer(trx, order.user_id, order.pubkey)
  if (!(await emojiIds.grantHeldIds(trx, order.id, boughtItems, pubkey))) return false
  if (!(await lootboxSales.grantHeldLootboxes(trx, order, boxesIn(items)))) return false
  await orders.removeHoldTimes(trx, order.id, heldBy(order))
  await codes.countCodes(trx, order.id)
  await payments.closePayments(trx, order.id, attempt_id)
  const change = { is_current: false, paid_at: now(), expires_at: null }
  const paidOrder = await moveOrder(deps, trx, order, 'Paid', change)
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
  await sendReceipt(deps, trx, order)
  return true
}
