import { toDisplayFormat } from '@emojid/core'
import { transact } from '../../platform/database/database.ts'
import { toPage } from '../../platform/http/paging.ts'
import type { Database, Transaction } from '../../tables.ts'
import type { Principal } from '../access/index.ts'
import type { Accounts } from '../accounts/index.ts'
import type { Audit } from '../audit/index.ts'
import { assertNotMinted, type EmojiIds, type OwnedId } from '../emoji-ids/index.ts'
import { type DisputeRow, isUnsettled, type Ledger } from '../ledger/index.ts'
import type { LootboxSales } from '../lootbox-sales/index.ts'
import type { Notifications } from '../notifications/index.ts'
import {
  assertNotOwn,
  isBox,
  type Order,
  type OrderItem,
  type Orders,
  orderNumber,
} from '../orders/index.ts'
import type { Organizations } from '../organizations/index.ts'
import type { Payments } from '../payments/index.ts'
import type { Transfers } from '../transfers/index.ts'
import * as rules from './rules.ts'
import type { Decision, DisputeFacts, DisputeView } from './schema.ts'

export type Disputes = ReturnType<typeof createDisputes>

type Options = {
  db: Database
  accounts: Accounts
  organizations: Organizations
  emojiIds: EmojiIds
  ledger: Ledger
  lootboxSales: LootboxSales
  orders: Orders
  payments: Payments
  transfers: Transfers
  notifications: Notifications
  audit: Audit
  now: () => Date
  webUrl: string
}
type DisputeQuery = Parameters<Ledger['disputes']>[0]

/**
 * What it means for an order that its payment is disputed. Rows are locked in this order: the
 * order, its boxes, its ids, so that opening a box or a transfer happens before or after, never in between.
 */
export function createDisputes(options: Options) {
  const { db, accounts, organizations, emojiIds, ledger, lootboxSales, orders } = options
  const { payments, transfers, notifications, audit, now, webUrl } = options

  const boxesOf = (items: readonly OrderItem[]): string[] =>
    items.filter(isBox).map(({ lootbox_id }) => lootbox_id)

  const note = (
    trx: Transaction,
    event: Parameters<Audit['note']>[1],
    { order, dispute }: { order: Order; dispute: DisputeRow },
    { actor_id = null, ...more }: { actor_id?: string | null; [name: string]: unknown } = {},
  ) => {
    const { id: dispute_id, reference, amount_in_cents } = dispute
    const details = { order_id: order.id, dispute_id, reference, amount_in_cents, ...more }
    return audit.note(trx, event, { actor_id, subject_id: order.user_id, details })
  }
  const tellOperators = async (trx: Transaction, order: Order, dispute: DisputeRow) => {
    const link = `${webUrl}/admin/disputes/${dispute.id}`
    const params = { order_number: orderNumber(order), sentence: rules.sentenceOf(dispute), link }
    for (const { email } of await accounts.operators(trx)) {
      if (email) await notifications.queueMail(trx, { to: email, template: 'dispute_news', params })
    }
  }
  const tellBuyer = async (trx: Transaction, order: Order, dispute: DisputeRow) => {
    const buyer = await accounts.find(order.user_id, trx)
    if (!buyer?.email || buyer.deleted_at) return
    const { status, amount_in_cents } = dispute
    const left = rules.leftAfter(dispute)
    const to = { to: buyer.email }
    const order_number = orderNumber(order)
    await notifications.queueMail(
      trx,
      status === 'open'
        ? { ...to, template: 'payment_disputed', params: { order_number, amount_in_cents } }
        : { ...to, template: 'dispute_closed', params: { order_number, outcome: status, left } },
    )
  }

  /** All that the order bought stays where it is, and closed. */
  const freeze = async (trx: Transaction, order: Order, items: readonly OrderItem[]) => {
    await lootboxSales.setFrozen(trx, order.id, now())
    const owned = (await emojiIds.lockOfOrder(trx, order.id)).filter(
      (one) => !rules.isPaidBack(items, one),
    )
    const emoji_ids = owned.map(({ emoji_id }) => emoji_id)
    await emojiIds.setFrozen(trx, emoji_ids, now())
    return emoji_ids
  }
  const thaw = async (trx: Transaction, order: Order): Promise<void> => {
    const others = await ledger.disputesOf(trx, [order.id])
    if (others.some(isUnsettled)) return
    await lootboxSales.setFrozen(trx, order.id, null)
    const owned = await emojiIds.lockOfOrder(trx, order.id)
    await emojiIds.setFrozen(
      trx,
      owned.map(({ emoji_id }) => emoji_id),
      null,
    )
  }

  const release = async (trx: Transaction, owned: OwnedId, actor_id: string | null) => {
    await emojiIds.setFrozen(trx, [owned.emoji_id], null)
    const free = { ...owned, frozen_at: null }
    await emojiIds.revoke(trx, actor_id, free, rules.coolingEnd(now()))
  }
  /** Closed boxes are for sale again; tells whether one stays frozen. */
  const takeBoxes = async (trx: Transaction, order: Order, items: readonly OrderItem[]) => {
    for (const id of boxesOf(items)) await lootboxSales.takeBack(trx, order, id)
  }
  const isAnyFrozen = async (trx: Transaction, order: Order, items: readonly OrderItem[]) => {
    const owned = await emojiIds.lockOfOrder(trx, order.id)
    const boxes = await lootboxSales.find(trx, boxesOf(items))
    const isFrozenBox = (box: { order_id: string | null; frozen_at: Date | null }) =>
      box.order_id === order.id && box.frozen_at !== null
    return owned.some(({ frozen_at }) => frozen_at !== null) || boxes.some(isFrozenBox)
  }
  /** The order tells what of it went back. */
  const noteGone = async (trx: Transaction, order: Order, items: readonly OrderItem[]) => {
    const owned = await emojiIds.lockOfOrder(trx, order.id)
    const left = new Set(owned.map(({ emoji_id }) => emoji_id))
    const boxes = await lootboxSales.find(trx, boxesOf(items))
    for (const { id } of rules.itemsGone(items, left, boxes)) {
      await orders.updateItem(trx, id, { refunded_quantity: 1, updated_at: now() })
    }
    await orders.update(trx, order.id, {})
  }

  const begin = async (trx: Transaction, order: Order, dispute: DisputeRow): Promise<void> => {
    const emoji_ids = await freeze(trx, order, await orders.itemsOf(trx, order.id))
    await note(trx, 'order.disputed', { order, dispute }, { reason: dispute.reason, emoji_ids })
  }
  const win = async (trx: Transaction, order: Order, dispute: DisputeRow): Promise<void> => {
    await thaw(trx, order)
    await note(trx, 'order.dispute_won', { order, dispute })
  }
  /** The bank gave the money back: the ids go as in a refund, and no money does. */
  const lose = async (trx: Transaction, order: Order, dispute: DisputeRow): Promise<DisputeRow> => {
    const items = await orders.itemsOf(trx, order.id)
    // What was left of the money decides whether the dispute is about all that is left of the order;
    // what paid refunds that were planned is about what those were for.
    const left = await ledger.refundable(trx, order.id)
    const taken = await ledger.bookLost(trx, dispute)
    const isWhole = taken >= left
    if (taken === 0 && !isWhole) await thaw(trx, order)
    if (isWhole) await takeBoxes(trx, order, items)
    const emoji_ids: string[] = []
    for (const owned of await emojiIds.lockOfOrder(trx, order.id)) {
      const goes = owned.frozen_at !== null && rules.goesByItself(owned, order, now())
      if (!isWhole || !goes) continue
      await release(trx, owned, null)
      emoji_ids.push(owned.emoji_id)
    }
    if (isWhole) await noteGone(trx, order, items)
    const awaits_decision = await isAnyFrozen(trx, order, items)
    const lost = await ledger.updateDispute(trx, dispute.id, { awaits_decision })
    await note(trx, 'order.dispute_lost', { order, dispute }, { emoji_ids, awaits_decision })
    return lost
  }

  payments.whenDisputed(async (trx, payment, told) => {
    const order = await orders.loadToChange(trx, payment.order_id)
    const { dispute, before } = await ledger.noteDispute(trx, payment, told)
    if (dispute.status === before) return
    // One that is heard of only when it is lost freezes first, so that what cannot go stays.
    if (before !== 'open' && dispute.status !== 'won') await begin(trx, order, dispute)
    if (dispute.status === 'won') await win(trx, order, dispute)
    const after = dispute.status === 'lost' ? await lose(trx, order, dispute) : dispute
    await tellOperators(trx, order, after)
    await tellBuyer(trx, order, after)
  })

  const usersOf = async (ids: readonly string[]) => {
    const users = await accounts.showAll(await accounts.findAll(db, [...new Set(ids)]))
    return new Map(users.map((user) => [user.id, user]))
  }
  const showAll = async (rows: readonly DisputeRow[]): Promise<DisputeView[]> => {
    const found = await Promise.all(rows.map(({ order_id }) => orders.find(order_id)))
    const buyers = found.flatMap((order) => order?.user_id ?? [])
    const deciders = rows.flatMap(({ decided_by }) => decided_by ?? [])
    const byId = await usersOf([...buyers, ...deciders])
    return rows.map(({ payment_id: _payment, taken_in_cents: _taken, ...row }, nth) => ({
      ...row,
      order_number: orderNumber({ id: row.order_id }),
      user: byId.get(found[nth]?.user_id ?? '') as DisputeView['user'],
      decided_by_user: byId.get(row.decided_by ?? '') ?? null,
    }))
  }

  const get = async (id: string): Promise<DisputeFacts> => {
    const dispute = await ledger.findDispute(id)
    if (!dispute) throw new rules.UnknownDisputeError()
    const [shown] = await showAll([dispute])
    const items = await orders.itemsOf(db, dispute.order_id)
    const owned = await emojiIds.findOfOrder(dispute.order_id)
    const order = await orders.find(dispute.order_id)
    const moves = await transfers.handedOn(
      owned.map(({ emoji_id }) => emoji_id),
      order?.paid_at ?? dispute.created_at,
    )
    const people = moves.flatMap(({ sender_id, recipient_id }) => [sender_id, recipient_id])
    const users = await usersOf([...people, ...owned.flatMap(({ user_id }) => user_id ?? [])])
    const names = new Map<string, string>()
    for (const organization_id of new Set(owned.flatMap((one) => one.organization_id ?? []))) {
      names.set(organization_id, (await organizations.find(db, organization_id))?.name ?? '')
    }
    const boxes = await lootboxSales.find(db, boxesOf(items))
    const { user } = shown as DisputeView
    return {
      ...(shown as DisputeView),
      ids: owned.map((one) => ({
        emoji_id: one.emoji_id,
        display_format: one.display_format,
        minted: one.minted,
        place: rules.placeOf(one, user.id),
        frozen: one.frozen_at !== null,
        owner: users.get(one.user_id ?? '') ?? null,
        handed_on: moves
          .filter(({ emoji_id }) => emoji_id === one.emoji_id)
          .map(({ accepted_at, sender_id, recipient_id }) => ({
            at: accepted_at as Date,
            from: users.get(sender_id) ?? null,
            to: users.get(recipient_id) ?? null,
          })),
        organization: one.organization_id
          ? { id: one.organization_id, name: names.get(one.organization_id) ?? '' }
          : null,
        signed_until: one.signed_until,
      })),
      lootboxes: boxes
        .filter(({ order_id }) => order_id === dispute.order_id)
        .map(({ id: box_id, status, frozen_at }) => ({
          id: box_id,
          status,
          frozen: frozen_at !== null,
        })),
    }
  }

  /** Loads a dispute under the lock of its order, for an operator who is not its buyer. */
  const load = async (trx: Transaction, caller: Principal, id: string) => {
    const seen = await ledger.findDispute(id, trx)
    if (!seen) throw new rules.UnknownDisputeError()
    const order = await orders.loadToChange(trx, seen.order_id)
    assertNotOwn(caller, order)
    const dispute = (await ledger.findDispute(id, trx)) as DisputeRow
    return { order, dispute, items: await orders.itemsOf(trx, order.id) }
  }
  /** Once nothing is frozen any more, everything is decided. */
  const decide = async (
    trx: Transaction,
    { order, dispute, items }: Awaited<ReturnType<typeof load>>,
    decision: NonNullable<DisputeRow['decision']>,
    { actor_id, reason }: { actor_id: string; reason: string },
  ) => {
    const awaits_decision = dispute.awaits_decision && (await isAnyFrozen(trx, order, items))
    const decided = { decided_at: now(), decided_by: actor_id }
    const change = { decision, decision_reason: reason, ...decided, awaits_decision }
    await ledger.updateDispute(trx, dispute.id, change)
  }
  const tellTaken = async (trx: Transaction, { emoji_id, ...owned }: OwnedId, reason: string) => {
    const params = { emoji_id: toDisplayFormat(emoji_id), reason }
    const people = await emojiIds.peopleBehind(trx, { emoji_id, ...owned })
    const users = people.length === 0 ? [] : await accounts.findAll(trx, people)
    for (const { email, deactivated_at } of users) {
      if (!email || deactivated_at) continue
      await notifications.queueMail(trx, { to: email, template: 'dispute_taken', params })
    }
  }

  /** The buyer learns what became of what they bought; of others they learn nothing. */
  const tellDecided = async (
    trx: Transaction,
    order: Order,
    decision: NonNullable<DisputeRow['decision']>,
    chosen: readonly OwnedId[],
  ) => {
    const buyer = await accounts.find(order.user_id, trx)
    // Whoever had what was taken back is told why, in a mail of its own.
    const news = chosen.filter(({ user_id }) => decision === 'left' || user_id !== order.user_id)
    if (!buyer?.email || buyer.deleted_at || news.length === 0) return
    const emoji_ids = news.map(({ emoji_id }) => toDisplayFormat(emoji_id))
    const params = { order_number: orderNumber(order), decision, emoji_ids }
    await notifications.queueMail(trx, { to: buyer.email, template: 'dispute_decided', params })
  }

  return {
    async list(query: DisputeQuery) {
      const { rows, total } = await ledger.disputes(query)
      return toPage(await showAll(rows), total, query)
    },

    get,

    /** Takes the id from its present owner; it rests as after a refund. */
    async takeBack(caller: Principal, id: string, { reason, emoji_ids: wanted }: Decision) {
      const actor_id = caller.user_id
      await transact(db, async (trx) => {
        const loaded = await load(trx, caller, id)
        const { order, dispute, items } = loaded
        rules.assertMayTakeBack(dispute)
        const all = await ledger.disputesOf(trx, [order.id])
        if (all.some(({ status }) => status === 'open')) throw new rules.StillOpenError()
        if (!wanted) await takeBoxes(trx, order, items)
        const chosen = rules.chooseFrozen(await emojiIds.lockOfOrder(trx, order.id), wanted)
        for (const owned of chosen) {
          assertNotMinted(owned)
          await release(trx, owned, actor_id)
          await tellTaken(trx, owned, reason)
        }
        await noteGone(trx, order, items)
        await decide(trx, loaded, 'taken_back', { actor_id, reason })
        await tellDecided(trx, order, 'taken_back', chosen)
        const emoji_ids = chosen.map(({ emoji_id }) => emoji_id)
        await note(trx, 'order.dispute_taken_back', loaded, { actor_id, emoji_ids, reason })
      })
      return get(id)
    },

    /** The present owner keeps the id, and the freeze ends. */
    async leave(caller: Principal, id: string, { reason, emoji_ids: wanted }: Decision) {
      const actor_id = caller.user_id
      await transact(db, async (trx) => {
        const loaded = await load(trx, caller, id)
        const { order, dispute } = loaded
        rules.assertMayLeave(dispute)
        if (!wanted) await lootboxSales.setFrozen(trx, order.id, null)
        const chosen = rules.chooseFrozen(await emojiIds.lockOfOrder(trx, order.id), wanted)
        const emoji_ids = chosen.map(({ emoji_id }) => emoji_id)
        await emojiIds.setFrozen(trx, emoji_ids, null)
        await decide(trx, loaded, 'left', { actor_id, reason })
        await tellDecided(trx, order, 'left', chosen)
        await note(trx, 'order.dispute_left', loaded, { actor_id, emoji_ids, reason })
      })
      return get(id)
    },
  }
}
