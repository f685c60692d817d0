import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { newEmail } from '../test/support/people.ts'
import {
  type Order,
  type OrderResponse,
  type Person,
  readOrderResponse,
  type Shop,
} from './commerce-stage.ts'

/** The request on the wire. */
export type Wire = {
  sent: number
  dropped: number
  answers: string[]
  kinds: string[]
  broken: string[]
}
/** Acknowledged effects by order. Each must exist exactly this often. */
type Counts = Record<'adds' | 'checkouts' | 'promos' | 'cash' | 'misc_refunds' | 'refunds', number>
export type Effects = { orders: Map<string, Counts>; registered: string[] }

type Options = { shop: Shop; person: Person; code: string; wire: Wire; effects: Effects }

/** Distinguishes these refunds from refunds of overpayments. */
export const refundReason = 'asked for'
const dropsAtMost = 6
const slowestDropMs = 60
const itemsAtMost = 3
const miscRefundsAtMost = 5
const notYet = [409, 429, 503]

/** A buyer on a bad connection who makes one purchase after another. */
export function createClient({ shop, person, code, wire, effects }: Options) {
  const { operator } = shop
  let cart: Order | undefined
  const paidOrderIds: string[] = []
  const countsOf = (id: string): Counts => {
    const none = { adds: 0, checkouts: 0, promos: 0, cash: 0, misc_refunds: 0, refunds: 0 }
    const counts = effects.orders.get(id) ?? none
    effects.orders.set(id, counts)
    return counts
  }

  /** Sends one request until a response arrives. Returns whether it took effect. */
  const perform = async (kind: string, by: Person, path: string, body: object) => {
    wire.kinds.push(kind)
    const { status, code: problem, body: answeredOrder } = await sendUntilAnswered(by, path, body)
    const isDone = status === 200 || problem === 'already_done'
    wire.answers.push(status === 200 ? 'answer' : problem)
    if (!isDone) wire.broken.push(`${kind} was answered ${status} ${problem}`)
    return { isDone, answered: status === 200 ? answeredOrder : undefined }
  }
  const sendUntilAnswered = async (
    by: Person,
    path: string,
    body: object,
  ): Promise<OrderResponse> => {
    const key = randomUUID()
    for (let tries = 0; ; tries++) {
      const isDropped = tries < dropsAtMost && randomInt(10) < 7
      const dropAfterMs = isDropped ? randomInt(1, slowestDropMs) : 30_000
      const answer = await by.send('POST', path, body, { key, dropAfterMs })
      wire.sent++
      if (answer && !notYet.includes(answer.status)) return readOrderResponse(answer)
      if (!answer) wire.dropped++
      else await sleep(50)
    }
  }
  /** Reads the order's state if the response did not include it. */
  const follow = async (id: string, answeredOrder: Order | undefined) => {
    const order = answeredOrder ?? (await person.order(id)).body
    cart = order.status === 'Paid' ? undefined : order
    if (order.status === 'Paid') paidOrderIds.push(id)
  }

  const add = async () => {
    const items = [{ emoji_id: shop.newId() }]
    const { isDone, answered } = await perform('add', person, '/cart', { items })
    cart = answered
    if (isDone && cart) countsOf(cart.id).adds++
  }
  const checkout = async ({ id }: Order) => {
    const method = randomInt(2) ? 'CardCheckout' : 'CryptoCommerce'
    const { isDone, answered } = await perform('checkout', person, '/cart/checkout', { method })
    if (isDone) countsOf(id).checkouts++
    await follow(id, answered)
  }
  const promo = async ({ id }: Order) => {
    const { isDone, answered } = await perform('promo', person, '/cart/promo_code', { code })
    if (isDone) countsOf(id).promos++
    await follow(id, answered)
  }
  const cash = async ({ id, status, remaining_due_in_cents: due }: Order) => {
    const amount = randomInt(2) ? due : Math.max(1, Math.floor(due / 2))
    const body = { method: 'Cash', amount, external_reference: randomUUID() }
    const { isDone, answered } = await perform('cash', operator, `/cart/checkout/${id}`, body)
    if (isDone) countsOf(id).cash++
    if (isDone && status === 'Draft') countsOf(id).checkouts++
    await follow(id, answered)
  }
  /** A code may reduce the price below the amount paid. */
  const finish = async ({ id }: Order) => {
    const path = `/cart/checkout/${id}`
    const { answered } = await perform('finish', person, path, { method: 'Free' })
    await follow(id, answered)
  }
  const refund = async (id: string) => {
    const counts = countsOf(id)
    const isMisc = counts.misc_refunds < miscRefundsAtMost && randomInt(4) > 0
    const [kind, path, amount] = isMisc
      ? (['misc_refunds', 'misc_refund', { amount_in_cents: 1 }] as const)
      : (['refunds', 'refund', {}] as const)
    const body = { reason: refundReason, ...amount }
    const { isDone } = await perform(path, operator, `/orders/${id}/${path}`, body)
    if (isDone) counts[kind]++
    if (!isMisc) paidOrderIds.splice(paidOrderIds.indexOf(id), 1)
  }
  const register = async () => {
    const email = newEmail()
    const { isDone } = await perform('register', operator, '/users', { email, activate: true })
    if (isDone) effects.registered.push(email)
  }

  return {
    /** Takes a random next step. */
    act(): Promise<void> {
      const boughtId = paidOrderIds[randomInt(paidOrderIds.length + 1)]
      if (randomInt(15) === 0) return register()
      if (boughtId && randomInt(3) === 0) return refund(boughtId)
      if (!cart || cart.order_items.length === 0) return add()
      const { order_items, status } = cart
      if (cart.remaining_due_in_cents === 0) return finish(cart)
      if (status === 'PendingPayment') {
        const hasCode = order_items.some(({ item_type }) => item_type === 'Discount')
        return hasCode || randomInt(2) ? cash(cart) : promo(cart)
      }
      if (order_items.length < itemsAtMost && randomInt(3) === 0) return add()
      return randomInt(5) === 0 ? cash(cart) : checkout(cart)
    },
  }
}
