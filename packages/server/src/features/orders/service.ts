import type { EmojiId } from '@emojid/core'
import { transact } from '../../platform/database/database.ts'
import { toPage } from '../../platform/http/paging.ts'
import { addJob } from '../../platform/jobs/jobs.ts'
import type { Database, Transaction } from '../../tables.ts'
import { assertScope, type Principal } from '../access/index.ts'
import type { Accounts } from '../accounts/index.ts'
import type { Audit } from '../audit/index.ts'
import type { Code, Codes } from '../codes/index.ts'
import type { EmojiIds } from '../emoji-ids/index.ts'
import { type Ledger, nothing } from '../ledger/index.ts'
import type { LootboxSales } from '../lootbox-sales/index.ts'
import type { Notifications } from '../notifications/index.ts'
import type { Payments } from '../payments/index.ts'
import * as orders from './repository.ts'
import * as rules from './rules.ts'
import type { DisplayOrder, OrderQuery, Sale } from './schema.ts'
import type { Order, OrderItem, Status } from './table.ts'

export type Orders = ReturnType<typeof createOrders>

type Options = {
  db: Database
  accounts: Accounts
  emojiIds: EmojiIds
  codes: Codes
  ledger: Ledger
  lootboxSales: LootboxSales
  payments: Payments
  notifications: Notifications
  audit: Audit
  now: () => Date
}

export const lapseTask = 'orders.lapse'

/** Carts and orders as rows: loading, showing, holding, moving. What moves them is told elsewhere. */
export function createOrders(options: Options) {
  const { db, accounts, emojiIds, codes, ledger, payments, notifications, audit, now } = options
  const { lootboxSales } = options

  accounts.beforeDeletion(async (trx, user_id) => {
    const [pending] = await orders.findPending(trx, user_id)
    if (pending) throw new rules.OrderPendingError()
  })

  const itemsOf = (from: Database | Transaction, id: string) => orders.findItems(from, [id])
  const sumsOf = async (from: Database | Transaction, id: string) =>
    (await ledger.sums(from, [id])).get(id) ?? nothing

  const showAll = async (
    found: readonly Order[],
    withTracking = false,
  ): Promise<DisplayOrder[]> => {
    if (found.length === 0) return []
    const ids = found.map(({ id }) => id)
    const userIds = [...new Set(found.map(({ user_id }) => user_id))]
    // Later the text of a code may be another one, which this buyer does not know.
    const pending = found.filter(({ status }) => status === 'PendingPayment').map(({ id }) => id)
    const [items, sums, attempts, paidData, withMoney, users, applied, disputes] =
      await Promise.all([
        orders.findItems(db, ids),
        ledger.sums(db, ids),
        payments.openOf(db, ids),
        payments.paidDataOf(ids),
        payments.withMoney(ids),
        accounts.findAll(db, userIds),
        codes.namesOf(pending),
        ledger.disputesOf(db, ids),
      ])
    const shown = new Map((await accounts.showAll(users, db)).map((user) => [user.id, user]))
    const bought = items.filter(rules.isId).map(({ emoji_id }) => emoji_id as EmojiId)
    const owners = await emojiIds.ownersOf(db, bought)
    const boxOwners = await lootboxSales.ownersOf(db, boxesIn(items))
    return found.map((order) => ({
      ...rules.display({
        order,
        owners,
        boxOwners,
        now: now(),
        items: items.filter(({ order_id }) => order_id === order.id),
        sums: sums.get(order.id) ?? nothing,
        user: shown.get(order.user_id) as DisplayOrder['user'],
        payment: payments.dataOf(attempts.get(order.id)),
        paidBy: paidData.get(order.id) ?? null,
        isMoneySeen: withMoney.has(order.id),
        applied: applied.filter(({ order_id }) => order_id === order.id),
        disputes: disputes.filter(({ order_id }) => order_id === order.id),
      }),
      ...(withTracking ? forOperators(order) : {}),
    }))
  }
  const show = async (id: string, withTracking = false): Promise<DisplayOrder> => {
    const order = await orders.find(db, id)
    const [shown] = await showAll(order ? [order] : [], withTracking)
    if (!shown) throw new rules.UnknownOrderError()
    return shown
  }

  /** The user's current cart, made if there is none. */
  const loadCurrent = async (trx: Transaction, user_id: string): Promise<Order> => {
    for (;;) {
      const order =
        (await orders.findCurrentToChange(trx, user_id)) ??
        (await orders.insert(trx, { ...emptyCart(user_id, now()), is_current: true }))
      // Somebody else made one in this very moment, which is there now.
      if (order) return order
    }
  }
  const loadToChange = async (trx: Transaction, id: string): Promise<Order> => {
    const order = await orders.findToChange(trx, id)
    if (!order) throw new rules.UnknownOrderError()
    return order
  }

  /** Nothing unless the order still is what it is thought to be. */
  const move = (trx: Transaction, order: Order, to: Status, change: orders.Change) => {
    rules.assertMayBecome(order.status, to)
    const { id, status: from } = order
    return orders.move(trx, { id, from }, { ...change, status: to, updated_at: now() })
  }
  /** Lets go of all that a checkout took: holds, codes, and what a provider might still be paid. */
  const letGo = async (trx: Transaction, { id }: Order): Promise<void> => {
    await emojiIds.unhold(trx, id)
    await lootboxSales.unhold(trx, id)
    await codes.release(trx, id)
    await payments.close(trx, id)
    await orders.endHoldTimes(trx, id, now())
  }
  const heldBy = async (trx: Transaction, order_id: string): Promise<string[]> =>
    (await itemsOf(trx, order_id)).flatMap(
      ({ emoji_id, lootbox_id }) => emoji_id ?? lootbox_id ?? [],
    )

  /** Counts a hold that begins now; it ends early where the buyer's time for one of its ids is short. */
  const countHold = async (trx: Transaction, { id: order_id, user_id }: Order, wanted: Date) => {
    const [at, held] = [now(), await heldBy(trx, order_id)]
    const since = rules.holdsCountedSince(at)
    const times = await orders.findHoldTimes(trx, { user_id, held, since })
    const ended_at = rules.holdEndWithin(times, wanted, at)
    await orders.insertHoldTimes(
      trx,
      held.map((one) => ({ user_id, held: one, order_id, began_at: at, ended_at })),
    )
    if (ended_at < wanted) {
      await emojiIds.extendHolds(trx, order_id, ended_at)
      await lootboxSales.extendHolds(trx, order_id, ended_at)
    }
    return ended_at
  }
  /** A hold that is moved counts as long as it lasts, unless all of it is bought in the end. */
  const recountHold = async (trx: Transaction, { id: order_id, ...order }: Order, until: Date) => {
    const [at, endedAfter] = [now(), order.expires_at ?? now()]
    const ended_at = until > at ? until : at
    if (await orders.moveHoldTimes(trx, { order_id, endedAfter, until: ended_at })) return
    const held = await heldBy(trx, order_id)
    const { user_id } = order
    await orders.insertHoldTimes(
      trx,
      held.map((one) => ({ user_id, held: one, order_id, began_at: at, ended_at })),
    )
  }
  const toDraft = async (trx: Transaction, order: Order): Promise<void> => {
    await letGo(trx, order)
    await orders.removeDiscounts(trx, order.id)
    await move(trx, order, 'Draft', { expires_at: null, method: null })
  }

  const sendReceipt = async (trx: Transaction, order: Order): Promise<void> => {
    const user = await accounts.find(order.user_id, trx)
    if (!user?.email) return
    const items = await itemsOf(trx, order.id)
    const boxNames = await lootboxSales.namesOf(trx, boxesIn(items))
    await notifications.queueMail(trx, {
      to: user.email,
      template: 'receipt',
      params: {
        order_number: rules.orderNumber(order),
        lines: items.map((item) => [nameOf(item, boxNames), rules.priceOfItem(item)]),
        total_in_cents: rules.totalOf(items),
      },
    })
  }

  /** For operators: with everything, and what it comes to. */
  const listOfPartner = async (query: OrderQuery) => {
    const page = await orders.findPage(db, query)
    const [shown, sales] = [await showAll(page.rows, true), await showSales(page.rows)]
    const data = shown.map((order, nth) => ({ ...order, ...feeOf(sales[nth]) }))
    return { ...toPage(data, page.total, query), sums: await orders.sumSales(db, query) }
  }
  const showSales = async (found: readonly Order[]) => {
    const ids = found.map(({ id }) => id)
    if (ids.length === 0) return []
    const [items, sums] = await Promise.all([orders.findItems(db, ids), ledger.sums(db, ids)])
    return found.map((order) =>
      rules.saleOf(
        order,
        items.filter(({ order_id }) => order_id === order.id),
        sums.get(order.id) ?? nothing,
      ),
    )
  }
  const listSales = async (caller: Principal, query: OrderQuery) => {
    rules.assertMayListSales(caller, query)
    const wanted = { ...query, isSale: true }
    const page = await orders.findPage(db, wanted)
    const sums = await orders.sumSales(db, wanted)
    return { ...toPage(await showSales(page.rows), page.total, query), sums }
  }

  return {
    itemsOf,
    sumsOf,
    show,
    loadCurrent,
    loadToChange,
    toDraft,
    find: (id: string) => orders.find(db, id),
    findCurrent: (user_id: string) => orders.findCurrent(db, user_id),
    update: (trx: Transaction, id: string, change: Parameters<typeof orders.update>[2]) =>
      orders.update(trx, id, { ...change, updated_at: now() }),
    insertItems: orders.insertItems,
    /** Takes something off the price of items, by a code or without one. */
    async addDiscounts(
      trx: Transaction,
      order_id: string,
      discounts: readonly { item_id: string; cents: number }[],
      code: Pick<Code, 'id' | 'limited_to_fee'> | null,
    ): Promise<void> {
      const items = await itemsOf(trx, order_id)
      const cutOf = (item_id: string, cents: number): number => {
        const item = items.find(({ id }) => id === item_id)
        return item ? rules.clientFeeCutOf(cents, item, items, code?.limited_to_fee === true) : 0
      }
      await orders.insertItems(
        trx,
        discounts.map(({ item_id, cents }) => ({
          order_id,
          item_type: 'Discount',
          parent_id: item_id,
          code_id: code?.id ?? null,
          unit_price_in_cents: -cents,
          client_fee_cut_in_cents: cutOf(item_id, cents),
          created_at: now(),
          updated_at: now(),
          emoji_id: null,
          display_format: null,
          rhythm_score: null,
          marked_invalid_at: null,
          marked_invalid_at_reason: null,
        })),
      )
    },
    updateItem: orders.updateItem,
    removeItems: orders.removeItems,

    /** A further cart; as the current one it takes the place of the one that was. */
    async create(trx: Transaction, user_id: string, members: Partial<Order> = {}): Promise<Order> {
      const { tracking_data: _, ...others } = members
      const order = await orders.insert(trx, { ...emptyCart(user_id, now()), ...others })
      if (!order) throw new Error('A user has two current carts')
      return order
    },

    /** Begins a checkout: its ids are held, and a job ends it if nothing is paid in time. */
    async toPending(trx: Transaction, order: Order, wanted: Date, method: string | null) {
      // What is free or paid in cash is bought in this very transaction, and holds nothing.
      const isAtOnce = method === 'Free' || method === 'Cash'
      const expires_at = isAtOnce ? wanted : await countHold(trx, order, wanted)
      const change = { round: order.round + 1, method, expires_at, held_until: expires_at }
      const moved = await move(trx, order, 'PendingPayment', change)
      await addJob(trx, lapseTask, { id: order.id }, jobAt(order.id, expires_at))
      return moved as Order
    },

    /** Takes the codes again whose discounts the order shows; tells `false` if others have them. */
    reserveCodes: async (trx: Transaction, { id, user_id }: Order): Promise<boolean> =>
      codes.reserveAgain(trx, { order_id: id, user_id }, rules.codeUsesOf(await itemsOf(trx, id))),

    /** How long the ids are held: longer while money is on its way, and no longer than that. */
    async holdUntil(trx: Transaction, order: Order, until: Date): Promise<void> {
      if (order.expires_at?.getTime() === until.getTime()) return
      await orders.update(trx, order.id, { expires_at: until, updated_at: now() })
      await recountHold(trx, order, until)
      await emojiIds.extendHolds(trx, order.id, until)
      await lootboxSales.extendHolds(trx, order.id, until)
      await addJob(trx, lapseTask, { id: order.id }, jobAt(order.id, until))
    },

    /** Gives the buyer what they bought; tells `false`, with nothing done, when it is gone. */
    async fulfil(trx: Transaction, order: Order, actor_id: string | null): Promise<boolean> {
      const items = await itemsOf(trx, order.id)
      const bought = items.filter(rules.isId)
      // Locked: nobody deletes an account that is about to own something.
      const buyer = await accounts.findToChange(trx, order.user_id)
      if (!buyer || buyer.deleted_at) return false
      const pubkey = await emojiIds.keyForBuyer(trx, order.user_id, order.pubkey)
      if (!(await emojiIds.grantHeld(trx, order.id, bought, pubkey))) return false
      if (!(await lootboxSales.grantHeld(trx, order, boxesIn(items)))) return false
      await orders.removeHoldTimes(trx, order.id, await heldBy(trx, order.id))
      await codes.count(trx, order.id)
      await payments.close(trx, order.id)
      const change = { is_current: false, paid_at: now(), expires_at: null }
      const paid = await move(trx, order, 'Paid', change)
      if (!paid) return false
      const details = { order_id: order.id, emoji_ids: bought.map(({ emoji_id }) => emoji_id) }
      await audit.note(trx, 'order.paid', { actor_id, subject_id: order.user_id, details })
      await sendReceipt(trx, paid)
      return true
    },

    /** Nothing comes of the order; what is left of the money for it goes back. Answers how much. */
    async cancel(trx: Transaction, order: Order, reason: string): Promise<number> {
      await letGo(trx, order)
      const amount_in_cents = await ledger.refundable(trx, order.id)
      if (amount_in_cents > 0) {
        const refund = { order_id: order.id, amount_in_cents, reason, actor_id: null }
        await ledger.payBack(trx, { ...refund, kind: 'refund' })
      }
      await move(trx, order, 'Cancelled', { is_current: false, expires_at: null })
      const details = { order_id: order.id, reason, amount_in_cents }
      const noted = { actor_id: null, subject_id: order.user_id, details }
      await audit.note(trx, 'order.cancelled', noted)
      return amount_in_cents
    },

    findLapsed: (limit: number) => orders.findLapsed(db, now(), limit),
    forgetHoldTimes: () => orders.forgetHoldTimesBefore(db, rules.holdsCountedSince(now())),

    /** Own orders, anybody's for those who may read them, or the sales of a partner. */
    async list(caller: Principal, query: OrderQuery) {
      const { user_id = caller.user_id } = query
      const mayReadAll = caller.scopes.has('order:read')
      const isOwn = query.user_id === caller.user_id
      if (query.organization_id !== undefined && !isOwn) {
        return mayReadAll ? listOfPartner(query) : listSales(caller, query)
      }
      if (user_id !== caller.user_id) assertScope(caller, 'order:read')
      const isOpen = mayReadAll && query.user_id === undefined
      const page = await orders.findPage(db, isOpen ? query : { ...query, user_id })
      return toPage(await showAll(page.rows, mayReadAll), page.total, query)
    },

    async get(caller: Principal, id: string): Promise<DisplayOrder> {
      const order = await orders.find(db, id)
      const mayReadAll = caller.scopes.has('order:read')
      if (!order || (order.user_id !== caller.user_id && !mayReadAll)) {
        throw new rules.UnknownOrderError()
      }
      return show(id, mayReadAll && order.user_id !== caller.user_id)
    },

    /** The receipt once more, to the buyer: whoever asks. */
    async resend(caller: Principal, id: string): Promise<DisplayOrder> {
      const isOperator = caller.scopes.has('order:resendConfirmation')
      await transact(db, async (trx) => {
        const order = await loadToChange(trx, id)
        const isOwn = order.user_id === caller.user_id
        if (!isOwn && !isOperator) throw new rules.UnknownOrderError()
        if (order.status !== 'Paid') throw new rules.NotPaidError()
        await sendReceipt(trx, order)
        const noted = { actor_id: caller.user_id, subject_id: order.user_id }
        await audit.note(trx, 'order.receipt_resent', { ...noted, details: { order_id: id } })
      })
      return show(id, isOperator)
    },
  }
}

const emptyCart = (user_id: string, at: Date) => ({
  user_id,
  status: 'Draft' as const,
  is_current: false,
  round: 0,
  method: null,
  organization_id: null,
  pubkey: null,
  tracking_data: null,
  paid_at: null,
  expires_at: null,
  held_until: null,
  refund_requested_at: null,
  refund_request: null,
  created_at: at,
  updated_at: at,
})

/** What operators see beside it; what a buyer pays with is for the buyer alone. */
const forOperators = ({ tracking_data, refund_request, status }: Order) => ({
  tracking_data,
  refund_request,
  ...(status === 'Paid' ? {} : { payment_method_data: null }),
})

const feeOf = (sale: Sale | undefined) => ({ client_fee_in_cents: sale?.client_fee_in_cents ?? 0 })

const jobAt = (id: string, run_at: Date) => ({ key: `${lapseTask}:${id}`, run_at })

const boxesIn = (items: readonly OrderItem[]): string[] =>
  items.filter(rules.isBox).map(({ lootbox_id }) => lootbox_id)

const nameOf = (item: OrderItem, boxNames: ReadonlyMap<string, string>): string =>
  rules.isBox(item)
    ? (boxNames.get(item.lootbox_id) ?? 'Lootbox')
    : (item.display_format ?? 'Discount')
