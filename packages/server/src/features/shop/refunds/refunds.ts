import type { EmojiId } from '@emojid/core'
import { bindTo, bindUseCases } from '../../../platform/bind.ts'
import { transact } from '../../../platform/database/database.ts'
import { idOf } from '../../../platform/jobs/jobs.ts'
import type { JobModule } from '../../../platform/jobs/worker.ts'
import type {
  CryptoGateway,
  PaymentProvider,
  RefundProvider,
} from '../../../platform/payments/gateway.ts'
import type { Database, Transaction } from '../../../tables.ts'
import type { EmojiIds } from '../../directory/emoji-ids/emoji-ids.ts'
import type { Accounts } from '../../identity/accounts/accounts.ts'
import {
  assertPerson,
  assertScope,
  holdCaller,
  isPerson,
  type Principal,
} from '../../operations/access/access.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import type { Events } from '../../operations/events/events.ts'
import type { Notifications } from '../../operations/notifications/notifications.ts'
import { type Ledger, refundTask } from '../ledger/ledger.ts'
import {
  assertNotOwn,
  type BoxSales,
  coolingEnd,
  type DisplayOrder,
  dueOf,
  isBox,
  isDisputed,
  type LoadedOrder,
  netPriceOf,
  notPaid,
  notPending,
  type Order,
  type OrderItem,
  type Orders,
  orderNumber,
  recordOrderEvent,
  unknownOrder,
  withEntries,
} from '../orders/orders.ts'
import { ItemsGone, type Purchases } from '../purchases/purchases.ts'
import type { MiscRefund, Refund } from './routes.ts'
import * as rules from './rules.ts'
import { recoverRefund, reviewClaims, sendRefund } from './send-refund.ts'

export type RefundGateway = RefundProvider & Pick<PaymentProvider, 'look'>

type RefundGateways = {
  card?: RefundGateway | undefined
  crypto?: (RefundGateway & Pick<CryptoGateway, 'isPaidOut'>) | undefined
}

export type Deps = {
  db: Database
  accounts: Accounts
  emojiIds: EmojiIds
  ledger: Ledger
  lootboxSales: BoxSales
  orders: Orders
  purchases: Purchases
  gateways: RefundGateways
  notifications: Notifications
  audit: Audit
  events: Events
  now: () => Date
}

export type Refunds = ReturnType<typeof createRefunds>

/** Refunds and other money decisions of operators. */
export function createRefunds(deps: Deps) {
  const { accounts, ledger } = deps
  accounts.whenRevoked(bindTo(deps)(closeRequests))

  return {
    ...bindUseCases(deps, {
      listRefunds,
      recordPayout,
      requestRefund,
      declineRequest,
      refundOrder,
      refundMisc,
      overridePayment,
      sendRefund,
      recoverRefund,
      reviewClaims,
    }),
    listAllRefunds: ledger.listRefunds,
  }
}

export const refundJobs = (refunds: Refunds): JobModule => ({
  tasks: {
    [refundTask]: (payload) => refunds.sendRefund(idOf(payload)),
    'payments.claims': () => refunds.reviewClaims(),
  },
  schedules: [{ task: 'payments.claims', cron: '*/10 * * * *' }],
})

/**
 * Operators see the reasons; only the buyer sees the claim link, which moves the money: with a fresh
 * proof, and not while a former mailbox could take the account back.
 */
async function listRefunds(
  { accounts, orders, ledger }: Deps,
  caller: Principal,
  order_id: string,
  { claims = false }: { claims?: boolean | undefined } = {},
) {
  const order = await orders.findOrder(order_id)
  const isOperator = caller.scopes.has('refund:read')
  const isBuyer = order?.user_id === caller.user_id
  if (!order || (!isBuyer && !isOperator)) throw unknownOrder()
  if (isBuyer && claims) assertPerson(caller)
  const claim_from = isBuyer ? await accounts.findUnsettledUntil(order.user_id) : undefined
  const refunds = await ledger.findRefunds(order_id, isBuyer && !claim_from && isPerson(caller))
  return refunds.map(({ reason, ...refund }) => ({
    ...refund,
    ...(isOperator ? { reason } : {}),
    ...(claim_from && refund.has_claim && !refund.paid_out_at ? { claim_from } : {}),
  }))
}

/** An operator paid a refund by hand. */
async function recordPayout(deps: Deps, caller: Principal, id: string, reference: string) {
  const { ledger, db, orders, audit } = deps
  const refund = await ledger.findRefund(id)
  if (!refund) throw rules.unknownRefund()
  const order = await orders.findOrder(refund.order_id)
  if (order) assertNotOwn(caller, order)
  // A call with a lost response may have succeeded.
  if (await recoverRefund(deps, id)) throw rules.alreadySent()
  const rest = await transact(db, async (trx) => {
    const order = await orders.loadToChange(trx, refund.order_id)
    assertNotOwn(caller, order)
    assertUndisputed(order)
    if (refund.status !== 'by_hand') throw rules.notByHand()
    const amount_in_cents = await ledger.settleExcess(trx, id)
    if (amount_in_cents === 0) return 0
    if (!(await ledger.finishByHand(trx, id, reference))) throw rules.notByHand()
    const { order_id } = refund
    const details = { order_id, refund_id: id, amount_in_cents, reference }
    await audit.writeEntry(trx, 'order.refund_given', { actor_id: caller.user_id, details })
    return amount_in_cents
  })
  if (rest === 0) throw rules.notByHand()
  return (await ledger.findRefund(id)) ?? refund
}

/** Money returned by the bank must not be refunded a second time. */
function assertUndisputed(order: LoadedOrder): void {
  if (isDisputed(order)) throw rules.disputedError()
}

/** A buyer requests a refund; operators decide. */
async function requestRefund(
  deps: Deps,
  caller: Principal,
  id: string,
  reason: string,
): Promise<DisplayOrder> {
  const { accounts, orders, db, ledger, now, audit } = deps
  const order = await orders.showOrder(id)
  if (order.user_id !== caller.user_id) throw unknownOrder()
  if (order.status !== 'Paid') throw notPaid()
  if (order.dispute?.frozen) throw rules.disputedError()
  if (!order.eligible_for_refund) throw rules.nothingRefundable()
  await transact(db, async (trx) => {
    // Before the order, as a revocation does.
    await holdCaller(trx, caller)
    const paidOrder = await orders.loadToChange(trx, id)
    await accounts.assertSettledMailbox(trx, caller.user_id)
    assertUndisputed(paidOrder)
    // After a concurrent full refund the request would stay open for ever.
    const isUnrefunded = paidOrder.items.some(rules.isUnrefunded)
    const isLeft = (await ledger.findRefundable(trx, id)) > 0
    if (!isUnrefunded || !isLeft) throw rules.nothingRefundable()
    const requestRow = { refund_requested_at: now(), refund_request: reason }
    const unanswered = { refund_answered_at: null, refund_declined: null }
    await orders.updateOrder(trx, paidOrder, { ...requestRow, ...unanswered })
    const details = { order_id: id, reason }
    await audit.writeEntry(trx, 'order.refund_requested', { actor_id: caller.user_id, details })
    const buyer = await accounts.loadAccount(caller.user_id, trx)
    const sentence = rules.requestedSentence(orderNumber(order))
    const about = { event: 'refund', order_id: id } as const
    await accounts.notifyOwner(trx, buyer, 'A refund was requested', sentence, about)
  })
  return orders.showOrder(id)
}

async function declineRequest(
  deps: Deps,
  caller: Principal,
  id: string,
  reason: string,
): Promise<DisplayOrder> {
  const { db, orders } = deps
  await transact(db, async (trx) => {
    const order = await orders.loadToChange(trx, id)
    if (!rules.hasOpenRequest(order)) throw rules.notAsked()
    await closeRequest(deps, trx, order, caller.user_id, reason)
  })
  return orders.showOrder(id, true)
}

/** The buyer is emailed the reason. */
async function closeRequest(
  { orders, now, audit, accounts, notifications }: Deps,
  trx: Transaction,
  order: Order,
  actor_id: string | null,
  reason: string,
) {
  const { id, user_id } = order
  await orders.updateOrder(trx, order, { refund_answered_at: now(), refund_declined: reason })
  const entry = { actor_id, subject_id: user_id, details: { order_id: id, reason } }
  await audit.writeEntry(trx, 'order.refund_declined', entry)
  const buyer = await accounts.findAccount(user_id, trx)
  if (!buyer?.email) return
  await notifications.queueMail(trx, {
    to: buyer.email,
    user_id,
    page: `/orders/${id}`,
    kind: 'refund_declined',
    letter: rules.refundDeclined(orderNumber(order), reason),
  })
}

/** Revokes the ids with everything behind them, then refunds the money the way it came. */
async function refundOrder(
  deps: Deps,
  caller: Principal,
  id: string,
  { reason, item_ids, override }: Refund,
) {
  const { db, accounts, orders, now, ledger, audit } = deps
  if (override) assertScope(caller, 'order:refundOverride')
  const actor_id = caller.user_id
  await transact(db, async (trx) => {
    const order = await orders.loadToChange(trx, id)
    assertNotOwn(caller, order)
    if (order.status !== 'Paid') throw notPaid()
    await accounts.assertSettledMailbox(trx, order.user_id)
    assertUndisputed(order)
    const { items } = order
    const chosenItems = rules.chooseItems(items, item_ids)
    for (const item of chosenItems) {
      await takeBackIds(deps, trx, actor_id, order, item, override === true)
      await orders.updateItem(trx, item.id, { refunded_quantity: 1, updated_at: now() })
    }
    const amount = chosenItems.reduce((sum, item) => sum + netPriceOf(item, items), 0)
    const emoji_ids = chosenItems.flatMap(({ emoji_id }) => emoji_id ?? [])
    const lootbox_ids = chosenItems.flatMap(({ lootbox_id }) => lootbox_id ?? [])
    const amount_in_cents = Math.min(amount, await ledger.findRefundable(trx, id))
    if (amount_in_cents > 0) {
      const refund = { order_id: id, amount_in_cents, reason, actor_id }
      await ledger.bookRefund(trx, { ...refund, kind: 'refund' })
    }
    await orders.updateOrder(trx, order, rules.answerTo(order, now()))
    const details = { order_id: id, emoji_ids, lootbox_ids, amount_in_cents, reason }
    const entry = { actor_id, subject_id: order.user_id, details }
    await audit.writeEntry(trx, 'order.refunded', entry)
    await recordOrderEvent(deps, trx, 'order.refunded', order, emoji_ids)
  })
  return orders.showOrder(id, true)
}

/**
 * Revokes the item from the buyer. With `override` a minted id or an opened box is refunded and
 * stays.
 */
async function takeBackIds(
  { lootboxSales, now, emojiIds }: Deps,
  trx: Transaction,
  actor_id: string,
  order: Order,
  item: OrderItem,
  override: boolean,
) {
  if (isBox(item)) {
    const isBack = await lootboxSales.takeBackLootbox(trx, order, item.lootbox_id)
    if (!override) rules.assertBoxRefundable(order, isBack, now())
    return
  }
  const ownedId = await emojiIds.findIdToChange(trx, item.emoji_id as EmojiId)
  if (!override) rules.assertRefundable(order, item, ownedId, now())
  // The owner of the token keeps the id.
  if (rules.isOfOrder(ownedId, order) && !ownedId.minted) {
    await emojiIds.revokeId(trx, actor_id, ownedId, coolingEnd(now()))
  }
}

/** Refunds an amount; the ids stay with the buyer. */
async function refundMisc(
  deps: Deps,
  caller: Principal,
  id: string,
  { amount_in_cents, reason }: MiscRefund,
) {
  const { db, accounts, orders, ledger, now, audit } = deps
  const actor_id = caller.user_id
  await transact(db, async (trx) => {
    const order = await orders.loadToChange(trx, id)
    assertNotOwn(caller, order)
    if (order.status !== 'Paid') throw notPaid()
    await accounts.assertSettledMailbox(trx, order.user_id)
    assertUndisputed(order)
    const refund = { order_id: id, amount_in_cents, reason, actor_id }
    await ledger.bookRefund(trx, { ...refund, kind: 'misc_refund' })
    await orders.updateOrder(trx, order, rules.answerTo(order, now()))
    const details = { order_id: id, amount_in_cents, reason }
    const entry = { actor_id, subject_id: order.user_id, details }
    await audit.writeEntry(trx, 'order.misc_refunded', entry)
    await recordOrderEvent(deps, trx, 'order.refunded', order, [])
  })
  return orders.showOrder(id, true)
}

/** An operator marks the order as paid; the ledger records that the service paid. */
async function overridePayment(
  deps: Deps,
  caller: Principal,
  id: string,
  reason: string,
): Promise<DisplayOrder> {
  const { db, orders, ledger, purchases, audit } = deps
  const actor_id = caller.user_id
  await transact(db, async (trx) => {
    const order = await orders.loadToChange(trx, id)
    assertNotOwn(caller, order)
    if (order.status !== 'PendingPayment') throw notPending()
    assertUndisputed(order)
    const due = dueOf(order)
    const override =
      due > 0 &&
      (await ledger.bookEntry(trx, {
        order_id: id,
        attempt_id: null,
        kind: 'override',
        amount_in_cents: due,
        provider: 'override',
        reference: id,
        reason,
        actor_id,
      }))
    const paid = override ? withEntries(order, [override]) : order
    await purchases.creditByHand(trx, paid, actor_id).catch((error) => {
      throw error instanceof ItemsGone ? notPending() : error
    })
    const details = { order_id: id, amount_in_cents: due, reason }
    const entry = { actor_id, subject_id: order.user_id, details }
    await audit.writeEntry(trx, 'order.payment_overridden', entry)
  })
  return orders.showOrder(id, true)
}

/** A thief may have made the requests; the owner can request again. */
async function closeRequests(deps: Deps, trx: Transaction, user_id: string): Promise<void> {
  for (const order of await deps.orders.findOpenRequests(trx, user_id)) {
    await closeRequest(deps, trx, order, null, rules.revokedReason)
  }
}
