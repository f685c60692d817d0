import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type AnyShop,
  ConnectionLost,
  type Order,
  type OrderResponse,
  type Person,
  readOrderResponse,
} from './commerce-stage.ts'

export type Load = ReturnType<typeof createLoad>
export type Story = (person: Person) => Promise<void>

const latest = 6
const storiesPerPerson = 12
const pauseMs = 100
const cutPauseMs = 500
const patienceMs = 2_500
/** Longer than a hold lasts here. */
const lateAfterMs = 6_500

/** Concurrent activity: every operation of buyers, operators and providers. */
export function createLoad(shop: AnyShop, broken: string[]) {
  const { operator } = shop
  const recentIds: string[] = []
  const answeredPaid = new Set<string>()
  const counts: Record<string, number> = {}
  const count = (name: string) => {
    counts[name] = (counts[name] ?? 0) + 1
  }
  let late: { address: string; at: number }[] = []
  const unconfirmed = new Set<string>()
  let isOn = true

  /** Sends one request. Only a response of the service itself counts. */
  const ask = async (
    by: Person,
    method: string,
    path: string,
    body?: object,
  ): Promise<OrderResponse> => {
    const answer = await by.send(method, path, body)
    if (!answer || answer.status === 503) throw new ConnectionLost()
    const outcome = readOrderResponse(answer)
    if (outcome.status >= 500) {
      broken.push(`${method} ${path} answered ${answer.text}`)
      throw new ConnectionLost()
    }
    const { id, status } = outcome.body
    if (status === 'Paid') answeredPaid.add(id)
    return outcome
  }
  const checkout = (by: Person, method: string, more: object = {}, id?: string) =>
    ask(by, 'POST', id ? `/cart/checkout/${id}` : '/cart/checkout', { method, ...more })
  const atProvider = async (address: string, body: object = {}): Promise<number> => {
    const status = await shop.atProvider(address, body)
    if (status === undefined) throw new ConnectionLost()
    return status
  }
  const cash = ({ id }: Order, amount: number) =>
    checkout(operator, 'Cash', { amount, external_reference: randomUUID() }, id)

  /** A new id, or one that another buyer is buying. */
  const pickId = (): string => {
    if (recentIds.length === latest && randomInt(5) < 2) {
      return recentIds[randomInt(latest)] as string
    }
    const id = shop.newId()
    recentIds.push(id)
    if (recentIds.length > latest) recentIds.shift()
    return id
  }
  /** Leaves an empty cart from any state. */
  const emptyCart = async (person: Person): Promise<void> => {
    const { body: cart } = await ask(person, 'GET', '/cart')
    if (cart.order_items.length === 0) return
    const clearedOrder = await ask(person, 'DELETE', '/cart')
    if (clearedOrder.code !== 'pending_payment') return
    const { body: order } = await ask(person, 'GET', `/orders/${cart.id}`)
    if (order.remaining_due_in_cents > 0) await cash(order, order.remaining_due_in_cents)
    else if (order.status === 'PendingPayment') await checkout(person, 'Free')
  }

  const play = async (stories: Record<string, Story>, story: string, person: Person) => {
    try {
      await stories[story]?.(person)
      count(story)
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error
      count('aborted request')
      await sleep(cutPauseMs)
    }
  }
  const perform = async (stories: Record<string, Story>, first: Person): Promise<void> => {
    const names = Object.keys(stories)
    let person = first
    for (let n = 1; isOn; n++) {
      await play(stories, names[randomInt(names.length)] as string, person)
      if (n % storiesPerPerson === 0) person = await shop.register().catch(() => person)
    }
  }
  const payLate = async (isEnd = false): Promise<void> => {
    const due = late.filter(({ at }) => isEnd || at <= Date.now())
    late = late.filter((payment) => !due.includes(payment))
    for (const payment of due) {
      const status = await shop.atProvider(payment.address)
      if (status === undefined) late.push(payment)
      else count(status === 200 ? 'late payment' : 'rejected late payment')
    }
  }

  return {
    operator,
    answeredPaid,
    counts,
    ask,
    checkout,
    atProvider,
    cash,
    emptyCart,

    /** A cart with only one or two ids. */
    async fillCart(person: Person): Promise<Order> {
      await emptyCart(person)
      const ids = new Set(Array.from({ length: 1 + randomInt(2) }, pickId))
      const items = [...ids].map((emoji_id) => ({ emoji_id }))
      return (await ask(person, 'POST', '/cart', { items })).body
    },

    /** Polls the order briefly, like a client that waits for the payment. */
    async awaitPaid(person: Person, { id }: Order): Promise<void> {
      for (const end = Date.now() + patienceMs; Date.now() < end; await sleep(pauseMs)) {
        if ((await ask(person, 'GET', `/orders/${id}`)).body.status === 'Paid') return
      }
    },

    /** An attempt that a buyer pays after it expired. */
    leaveForLater: (address: string) => void late.push({ address, at: Date.now() + lateAfterMs }),

    /** Delivers payments still in transit when the load ends. */
    noteUnconfirmed: (address: string) => void unconfirmed.add(address),

    /** Starts all activities. Returns a function that stops them. */
    start(stories: Record<string, Story>, people: readonly Person[]): () => Promise<void> {
      const actors = people.map((person) => perform(stories, person))
      const clock = async () => {
        for (; isOn; await sleep(pauseMs)) await payLate()
      }
      const ended = Promise.all([...actors, clock()])
      // Rethrows errors other than lost connections at the end.
      ended.catch(() => {})
      return async () => {
        isOn = false
        await ended
        await payLate(true)
        for (const address of unconfirmed) await shop.atProvider(address)
      }
    },
  }
}
