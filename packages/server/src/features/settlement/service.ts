import { randomUUID } from 'node:crypto'
import type { EmojiId } from '@emojid/core'
import { transact, transactApart } from '../../platform/database/database.ts'
import { undoUnless } from '../../platform/database/savepoint.ts'
import { ServiceError } from '../../platform/errors.ts'
import type { Log } from '../../platform/log/log.ts'
import type { PaymentState } from '../../platform/payments/gateway.ts'
import type { Database, Transaction } from '../../tables.ts'
import type { Accounts } from '../accounts/index.ts'
import type { EmojiIds } from '../emoji-ids/index.ts'
import type { Ledger } from '../ledger/index.ts'
import type { LootboxSales } from '../lootbox-sales/index.ts'
import type { Notifications } from '../notifications/index.ts'
import type { Order, Orders, Snapshot } from '../orders/index.ts'
import * as order from '../orders/index.ts'
import type { Attempt, Payments } from '../payments/index.ts'
import { isEnough, isSeenInFull, PaymentUnderWayError, settlementDeadline } from './rules.ts'

export type Settlement = ReturnType<typeof createSettlement>

type Options = {
  db: Database
  accounts: Accounts
  emojiIds: EmojiIds
  ledger: Ledger
  lootboxSales: LootboxSales
  payments: Payments
  orders: Orders
  notifications: Notifications
  now: () => Date
  log: Log
}

/** Whether an order costs more now than it says, or is not sold any more. */
type IsDearer = (trx: Transaction, late: Order) => Promise<boolean>

const sweptAtOnce = 200

/** What money means for an order, in time and late; and what becomes of orders that get none. */
export function createSettlement(options: Options) {
  const { db, accounts, emojiIds, ledger, payments, orders, notifications, now, log } = options
  const { lootboxSales } = options
  const askers: IsDearer[] = []
  const isDearerNow: IsDearer = async (trx, late) => {
    for (const isDearer of askers) if (await isDearer(trx, late)) return true
    return false
  }

  /** Owes back what was paid beyond the price. */
  const giveBackExcess = async (trx: Transaction, paid: Order, amount_in_cents: number) => {
    if (amount_in_cents <= 0) return
    const refund = { order_id: paid.id, amount_in_cents, actor_id: null }
    await ledger.payBack(trx, { ...refund, kind: 'misc_refund', reason: 'paid too much' })
  }

  /** Grants the order once enough was paid for it. */
  const grantIfPaid = async (
    trx: Transaction,
    pending: Order,
    provider: 'card' | 'crypto',
    actor_id: string | null = null,
  ): Promise<'granted' | 'gone' | 'short'> => {
    const items = await orders.itemsOf(trx, pending.id)
    const sums = await orders.sumsOf(trx, pending.id)
    const received = sums.received - sums.disputed
    const total = order.totalOf(items)
    const short = Math.max(0, total - received)
    if (short > order.shortfallForgiven(total, provider)) return 'short'
    // Nobody gets ids for money that their bank may take.
    if (await ledger.isDisputed(trx, pending.id)) return 'short'
    if (short > 0) {
      await ledger.book(trx, {
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
    if (!(await orders.fulfil(trx, pending, actor_id))) return 'gone'
    await giveBackExcess(trx, pending, received - total)
    return 'granted'
  }

  const creditInTime = (trx: Transaction, pending: Order, attempt: Attempt, state: PaymentState) =>
    undoUnless(trx, async () => {
      const booked = await payments.book(trx, attempt, pending.id, state)
      // Without new money there is nothing to decide: what costs nothing is granted when asked for.
      const outcome = booked > 0 ? await grantIfPaid(trx, pending, attempt.provider) : 'short'
      if (outcome === 'short') await waitFor(trx, pending, attempt, state)
      return outcome !== 'gone'
    })

  /** Money on its way keeps the ids; when it does not come after all, they are kept no longer. */
  const waitFor = async (
    trx: Transaction,
    pending: Order,
    { id, provider }: Attempt,
    { seen_in_cents, payments: arrived }: PaymentState,
  ) => {
    const { received } = await orders.sumsOf(trx, pending.id)
    const total = order.totalOf(await orders.itemsOf(trx, pending.id))
    const thisWay = arrived.reduce((sum, { amount_in_cents }) => sum + amount_in_cents, 0)
    const otherWays = Math.max(0, received - thisWay)
    if (isEnough(otherWays + seen_in_cents, total, provider)) {
      return orders.holdUntil(trx, pending, settlementDeadline(pending))
    }
    // That too little comes this way says nothing of what came or comes another way.
    if (otherWays > 0 || (await payments.isUnderWay(trx, pending, id))) return
    await orders.holdUntil(trx, pending, pending.held_until ?? now())
  }

  /** Money for a checkout that is over: a new order from what it was meant for. */
  const creditLate = async (trx: Transaction, attempt: Attempt, state: PaymentState) => {
    const unbooked = await payments.unbooked(trx, attempt, state)
    if (unbooked.length === 0) return
    const known = attempt.late_order_id
    const late = known
      ? await orders.loadToChange(trx, known)
      : await openAgain(trx, attempt, attempt.snapshot as Snapshot)
    const booked = await payments.book(trx, attempt, late.id, state)
    if (known) return giveBackExcess(trx, late, booked)
    const isGranted = await undoUnless(trx, async () => {
      const buyer = await accounts.find(late.user_id, trx)
      if (!buyer || buyer.deleted_at) return false
      // A buyer could otherwise keep an old invoice, and pay it once prices have risen.
      if (!attempt.seen_in_hold && (await isDearerNow(trx, late))) return false
      if (!(await orders.reserveCodes(trx, late))) return false
      const items = await orders.itemsOf(trx, late.id)
      const wanted = items.filter(order.isId).map(({ emoji_id }) => emoji_id as EmojiId)
      const holder = { order_id: late.id, user_id: late.user_id, expires_at: now() }
      const { taken, held } = await emojiIds.hold(trx, holder, wanted)
      if (taken.length + held.length > 0) return false
      const boxes = items.filter(order.isBox).map(({ lootbox_id }) => lootbox_id)
      const offers = await lootboxSales.hold(trx, holder, boxes)
      const isKept = ({ availability }: { availability: string }) => availability === 'Available'
      if (![...offers.values()].every(isKept)) return false
      return (await grantIfPaid(trx, late, attempt.provider)) === 'granted'
    })
    if (isGranted) return
    await tellOfCancelling(trx, late, await orders.cancel(trx, late, 'the payment came too late'))
  }

  const openAgain = async (trx: Transaction, attempt: Attempt, snapshot: Snapshot) => {
    const { pubkey, organization_id, items } = snapshot
    const made = await orders.create(trx, attempt.user_id, {
      pubkey,
      organization_id,
      method: attempt.method,
      status: 'PendingPayment',
      expires_at: now(),
    })
    const newIds = new Map(items.map(({ id }) => [id, randomUUID()]))
    const at = now()
    await orders.insertItems(
      trx,
      items.map((item) => ({
        ...item,
        id: newIds.get(item.id) as string,
        order_id: made.id,
        parent_id: item.parent_id && (newIds.get(item.parent_id) ?? null),
        marked_invalid_at: null,
        marked_invalid_at_reason: null,
        created_at: at,
        updated_at: at,
      })),
    )
    await payments.setLateOrder(trx, attempt.id, made.id)
    return made
  }

  const tellOfCancelling = async (trx: Transaction, cancelled: Order, cents: number) => {
    // Of what the bank gave back, the bank tells.
    if (cents === 0) return
    const user = await accounts.find(cancelled.user_id, trx)
    if (!user?.email) return
    const params = { order_number: order.orderNumber(cancelled), amount_in_cents: cents }
    await notifications.queueMail(trx, { to: user.email, template: 'order_cancelled', params })
  }

  /** A checkout whose time is over is a cart again; what was paid of it goes back. */
  const endUnpaid = async (trx: Transaction, pending: Order): Promise<void> => {
    const { received } = await orders.sumsOf(trx, pending.id)
    if (received === 0) return orders.toDraft(trx, pending)
    const back = await orders.cancel(trx, pending, 'not all of it was paid in time')
    await tellOfCancelling(trx, pending, back)
  }

  payments.whenChecked(async (trx, seen, state) => {
    const current = await orders.loadToChange(trx, seen.order_id)
    // Somebody else may have drawn conclusions while this waited for the order.
    const known = await payments.reload(trx, seen)
    const isOfThisRound = current.round === known.round
    const isPending = isOfThisRound && current.status === 'PendingPayment'
    const isHeld = isPending && !order.isLapsed(current, now())
    // Money that vanished, such as a replaced transaction, counts only when it is seen anew.
    const attempt = await payments.setSeenInHold(
      trx,
      known.id,
      (isHeld || known.seen_in_hold) && isSeenInFull(known, state),
    )
    if (isOfThisRound && current.status === 'Paid') {
      return giveBackExcess(trx, current, await payments.book(trx, attempt, current.id, state))
    }
    if (isPending) {
      const isLate = !isHeld && !attempt.seen_in_hold && state.seen_in_cents > 0
      if (isLate && (await isDearerNow(trx, current))) await endUnpaid(trx, current)
      else if (await creditInTime(trx, current, attempt, state)) return
      else await endUnpaid(trx, current)
    }
    await creditLate(trx, attempt, state)
  })

  payments.whenRefunded(async (trx, { id, order_id, amount_in_cents, claim_url }) => {
    const refunded = await orders.loadToChange(trx, order_id)
    const user = await accounts.find(refunded.user_id, trx)
    // Nobody is there who could claim it.
    if (claim_url && user?.deleted_at) await ledger.leaveToPeople(trx, id, 'done')
    if (!user?.email) return
    const params = { order_number: order.orderNumber(refunded), amount_in_cents }
    const link = claim_url === null ? {} : { link: claim_url }
    await notifications.queueMail(trx, {
      to: user.email,
      template: 'refund_sent',
      params: { ...params, ...link },
    })
  })

  /** The provider is asked first: money that comes at the last moment still counts. */
  const endPayment = async (id: string): Promise<Attempt | undefined> => {
    const attempt = (await payments.openOf(db, [id])).get(id)
    if (attempt) await payments.end(attempt)
    return attempt
  }
  const endAtProvider = (id: string): Promise<Attempt | undefined> =>
    endPayment(id).catch((error) => {
      if (error instanceof ServiceError) throw error
      // The provider does not want to end it: it goes on being asked, and late money is dealt with.
      log.warn({ order: id, err: error }, 'A payment could not be ended yet')
      return undefined
    })
  const lapse = async (id: string): Promise<void> => {
    const seen = await orders.find(id)
    if (!seen || !order.isLapsed(seen, now())) return
    await endPayment(id).catch((error) => {
      // The ids are free for others anyway; a job goes on asking, and late money is dealt with.
      log.warn({ order: id, err: error }, 'A payment could not be ended yet')
    })
    await transactApart(db, async (trx) => {
      const current = await orders.loadToChange(trx, id)
      if (order.isLapsed(current, now())) await endUnpaid(trx, current)
    })
  }

  return {
    /** Ends a checkout whose time is over. */
    lapse,
    /** Who knows what late money has to pay. */
    whenLate: (isDearer: IsDearer) => void askers.push(isDearer),
    /** Has nobody pay an order at its price of now; answers what was to be paid, if it was anything. */
    endPayment: endAtProvider,

    async sweep(): Promise<void> {
      for (const { id } of await orders.findLapsed(sweptAtOnce)) {
        await lapse(id).catch((error) => {
          // One that cannot be ended does not keep the others from their end.
          log.error({ order: id, err: error }, 'A checkout could not be ended')
        })
      }
      await orders.forgetHoldTimes()
    },

    /** Makes a cart of a checkout again, unless money for it is under way; returns false if it is none. */
    async backToDraft(id: string): Promise<boolean> {
      await endAtProvider(id)
      return transact(db, async (trx) => {
        const current = await orders.loadToChange(trx, id)
        if (current.status !== 'PendingPayment') return false
        const { received } = await orders.sumsOf(trx, id)
        if (received > 0 || (await payments.isUnderWay(trx, current)))
          throw new PaymentUnderWayError()
        await orders.toDraft(trx, current)
        return true
      })
    },

    /** After what no provider knows of; tells `false` when what was to be granted is gone. */
    async creditByHand(trx: Transaction, pending: Order, actor_id: string): Promise<boolean> {
      const outcome = await grantIfPaid(trx, pending, 'card', actor_id)
      if (outcome === 'short') await orders.holdUntil(trx, pending, settlementDeadline(pending))
      return outcome !== 'gone'
    },
  }
}
