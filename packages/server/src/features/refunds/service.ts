import type { EmojiId } from '@emojid/core'
import { transact } from '../../platform/database/database.ts'
import type { Database, Transaction } from '../../tables.ts'
import { assertScope, type Principal } from '../access/index.ts'
import type { Accounts } from '../accounts/index.ts'
import type { Audit } from '../audit/index.ts'
import type { EmojiIds } from '../emoji-ids/index.ts'
import type { Ledger } from '../ledger/index.ts'
import type { LootboxSales } from '../lootbox-sales/index.ts'
import type { Notifications } from '../notifications/index.ts'
import {
  assertNotOwn,
  type DisplayOrder,
  dueOf,
  isBox,
  NotPaidError,
  netPriceOf,
  type Order,
  type OrderItem,
  type Orders,
  orderNumber,
  UnknownOrderError,
} from '../orders/index.ts'
import type { Settlement } from '../settlement/index.ts'
import * as rules from './rules.ts'
import type { MiscRefund, Refund } from './schema.ts'

export type Refunds = ReturnType<typeof createRefunds>

type Options = {
  db: Database
  accounts: Accounts
  emojiIds: EmojiIds
  ledger: Ledger
  lootboxSales: LootboxSales
  orders: Orders
  settlement: Settlement
  notifications: Notifications
  audit: Audit
  now: () => Date
}

/** Money back, and what else operators do about money. */
export function createRefunds(options: Options) {
  const { db, accounts, emojiIds, ledger, lootboxSales, orders, settlement } = options
  const { notifications, audit, now } = options

  /** Takes from the buyer what is paid back; with `override` also the price of what they keep. */
  const takeBack = async (
    trx: Transaction,
    actor_id: string,
    order: Order,
    item: OrderItem,
    override: boolean,
  ) => {
    if (isBox(item)) {
      const isBack = await lootboxSales.takeBack(trx, order, item.lootbox_id)
      if (!override) rules.assertBoxRefundable(order, isBack, now())
      return
    }
    const owned = await emojiIds.findToChange(trx, item.emoji_id as EmojiId)
    if (!override) rules.assertRefundable(order, item, owned, now())
    // Whoever has the token keeps what it stands for.
    if (rules.isOfOrder(owned, order) && !owned.minted) {
      await emojiIds.revoke(trx, actor_id, owned, rules.coolingEnd(now()))
    }
  }

  /** Money returned by the bank is not refunded a second time. */
  const assertUndisputed = async (trx: Transaction, order_id: string): Promise<void> => {
    if (await ledger.isDisputed(trx, order_id)) throw new rules.DisputedError()
  }

  return {
    /** Of one's own order, or of any; why, is for operators, and where to claim it for the buyer. */
    async list(caller: Principal, order_id: string) {
      const order = await orders.find(order_id)
      const isOperator = caller.scopes.has('refund:read')
      const isBuyer = order?.user_id === caller.user_id
      if (!order || (!isBuyer && !isOperator)) throw new UnknownOrderError()
      const found = await ledger.refundsOf(order_id, isBuyer && caller.kind === 'session')
      return isOperator ? found : found.map(({ reason: _, ...refund }) => refund)
    },

    all: ledger.refunds,

    /** A person gave back what no provider can. */
    async noteGiven(caller: Principal, id: string, reference: string) {
      const refund = await ledger.findRefund(id)
      if (!refund) throw new rules.UnknownRefundError()
      await transact(db, async (trx) => {
        assertNotOwn(caller, await orders.loadToChange(trx, refund.order_id))
        await assertUndisputed(trx, refund.order_id)
        if (!(await ledger.finishByHand(trx, id, reference))) throw new rules.NotByHandError()
        const { order_id, amount_in_cents } = refund
        const details = { order_id, refund_id: id, amount_in_cents, reference }
        await audit.note(trx, 'order.refund_given', { actor_id: caller.user_id, details })
      })
      return (await ledger.findRefund(id)) ?? refund
    },

    /** A buyer asks for their money; operators decide. */
    async requestRefund(caller: Principal, id: string, reason: string): Promise<DisplayOrder> {
      const order = await orders.show(id)
      if (order.user_id !== caller.user_id) throw new UnknownOrderError()
      if (order.status !== 'Paid') throw new NotPaidError()
      if (order.dispute?.frozen) throw new rules.DisputedError()
      if (!order.eligible_for_refund) throw new rules.NothingRefundableError()
      await transact(db, async (trx) => {
        await orders.loadToChange(trx, id)
        await assertUndisputed(trx, id)
        // Meanwhile all of it may have gone back, and nobody would answer.
        const isThere = (await orders.itemsOf(trx, id)).some(rules.isThere)
        const isLeft = (await ledger.refundable(trx, id)) > 0
        if (!isThere || !isLeft) throw new rules.NothingRefundableError()
        const asked = { refund_requested_at: now(), refund_request: reason }
        const unanswered = { refund_answered_at: null, refund_declined: null }
        await orders.update(trx, id, { ...asked, ...unanswered })
        const details = { order_id: id, reason }
        await audit.note(trx, 'order.refund_requested', { actor_id: caller.user_id, details })
      })
      return orders.show(id)
    },

    /** Operators decided against it, and tell the buyer why. */
    async decline(caller: Principal, id: string, reason: string): Promise<DisplayOrder> {
      await transact(db, async (trx) => {
        const order = await orders.loadToChange(trx, id)
        if (!rules.isAsked(order)) throw new rules.NotAskedError()
        await orders.update(trx, id, { refund_answered_at: now(), refund_declined: reason })
        const noted = { actor_id: caller.user_id, subject_id: order.user_id }
        await audit.note(trx, 'order.refund_declined', {
          ...noted,
          details: { order_id: id, reason },
        })
        const buyer = await accounts.find(order.user_id, trx)
        if (!buyer?.email) return
        const params = { order_number: orderNumber(order), reason }
        await notifications.queueMail(trx, { to: buyer.email, template: 'refund_declined', params })
      })
      return orders.show(id, true)
    },

    /** The ids go first, with everything behind them; then the money goes back the way it came. */
    async refund(caller: Principal, id: string, { reason, item_ids, override }: Refund) {
      if (override) assertScope(caller, 'order:refundOverride')
      const actor_id = caller.user_id
      await transact(db, async (trx) => {
        const order = await orders.loadToChange(trx, id)
        assertNotOwn(caller, order)
        if (order.status !== 'Paid') throw new NotPaidError()
        await assertUndisputed(trx, id)
        const items = await orders.itemsOf(trx, id)
        const chosen = rules.chooseItems(items, item_ids)
        for (const item of chosen) {
          await takeBack(trx, actor_id, order, item, override === true)
          await orders.updateItem(trx, item.id, { refunded_quantity: 1, updated_at: now() })
        }
        const amount = chosen.reduce((sum, item) => sum + netPriceOf(item, items), 0)
        const emoji_ids = chosen.flatMap(({ emoji_id }) => emoji_id ?? [])
        const lootbox_ids = chosen.flatMap(({ lootbox_id }) => lootbox_id ?? [])
        const amount_in_cents = Math.min(amount, await ledger.refundable(trx, id))
        if (amount_in_cents > 0) {
          const refund = { order_id: id, amount_in_cents, reason, actor_id }
          await ledger.payBack(trx, { ...refund, kind: 'refund' })
        }
        await orders.update(trx, id, rules.answerTo(order, now()))
        const details = { order_id: id, emoji_ids, lootbox_ids, amount_in_cents, reason }
        const noted = { actor_id, subject_id: order.user_id, details }
        await audit.note(trx, 'order.refunded', noted)
      })
      return orders.show(id, true)
    },

    /** Some money back, whatever for; the ids stay. */
    async refundMisc(caller: Principal, id: string, { amount_in_cents, reason }: MiscRefund) {
      const actor_id = caller.user_id
      await transact(db, async (trx) => {
        const order = await orders.loadToChange(trx, id)
        assertNotOwn(caller, order)
        if (order.status !== 'Paid') throw new NotPaidError()
        await assertUndisputed(trx, id)
        const refund = { order_id: id, amount_in_cents, reason, actor_id }
        await ledger.payBack(trx, { ...refund, kind: 'misc_refund' })
        await orders.update(trx, id, rules.answerTo(order, now()))
        const details = { order_id: id, amount_in_cents, reason }
        const noted = { actor_id, subject_id: order.user_id, details }
        await audit.note(trx, 'order.misc_refunded', noted)
      })
      return orders.show(id, true)
    },

    /** The service pays what is due. */
    async overridePayment(caller: Principal, id: string, reason: string): Promise<DisplayOrder> {
      const actor_id = caller.user_id
      await transact(db, async (trx) => {
        const order = await orders.loadToChange(trx, id)
        assertNotOwn(caller, order)
        if (order.status !== 'PendingPayment') throw new rules.NotPendingError()
        const due = dueOf(await orders.itemsOf(trx, id), await orders.sumsOf(trx, id))
        if (due > 0) {
          await ledger.book(trx, {
            order_id: id,
            attempt_id: null,
            kind: 'override',
            amount_in_cents: due,
            provider: 'override',
            reference: id,
            reason,
            actor_id,
          })
        }
        const isGranted = await settlement.creditByHand(trx, order, actor_id)
        if (!isGranted) throw new rules.NotPendingError()
        const details = { order_id: id, amount_in_cents: due, reason }
        const noted = { actor_id, subject_id: order.user_id, details }
        await audit.note(trx, 'order.payment_overridden', noted)
      })
      return orders.show(id, true)
    },
  }
}
