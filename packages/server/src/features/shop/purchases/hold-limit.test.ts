import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../../test/support/ids.ts'
import { goodPassword, logIn, type Person, registerAs } from '../../../../test/support/people.ts'
import {
  type Buyer,
  buyer,
  type Order,
  payWithCash,
  returningBuyer,
  type ShopService,
  shopService,
} from '../../../../test/support/shop.ts'
import { stopTheClock } from '../../../../test/support/stopped-clock.ts'
import { dayMs } from '../../../platform/time.ts'

const minuteMs = 60_000
let shop: ShopService
let admin: Person
beforeAll(async () => {
  shop = await shopService()
  admin = await registerAs(shop, 'Admin')
})
const newBuyer = () => buyer(shop, { password: goodPassword })
afterAll(() => shop.close())

type Refusal = {
  code: string
  error: string
  possible_at: string
  fields: { eid: { code: string; message: string }[] }
}
const card = { method: 'CardCheckout' }
const toDraft = (person: Buyer) => person.post('/api/cart/convert_to_draft')

/** Holds the cart for so many minutes, then abandons the checkout. */
async function holdFor(before: Buyer, minutes: number): Promise<Order> {
  const person = await returningBuyer(shop, before)
  const order = await person.checkout('CardCheckout')
  shop.clock.advance(minutes * minuteMs)
  if (minutes < 5) expect((await toDraft(person)).status).toBe(200)
  else expect(await person.cart()).toMatchObject({ status: 'Draft' })
  return order
}
/** Leaves what a checkout of the cart leaves that was held for so many minutes. */
async function insertHold(person: Buyer, { id: order_id, order_items }: Order, minutes: number) {
  const ended_at = new Date(shop.clock.now().getTime() - 1_000)
  const began_at = new Date(ended_at.getTime() - minutes * minuteMs)
  const times = order_items.map(({ emoji_id }) => ({
    user_id: person.id,
    held: emoji_id ?? '',
    order_id,
    began_at,
    ended_at,
  }))
  await shop.db.insertInto('hold_times').values(times).execute()
}
async function refusalOf(before: Buyer): Promise<Refusal> {
  const person = await returningBuyer(shop, before)
  const answer = await person.post('/api/cart/checkout', card)
  expect([answer.status, answer.json()['code']]).toEqual([422, 'hold_limit'])
  return answer.json<Refusal>()
}

/** A checkout with unconfirmed money for the full price. */
async function seenInFull(person: Buyer, id: string): Promise<Order> {
  const order = await person.pending('CryptoCommerce', [id])
  await shop.pay(order, { confirmed: false })
  const readSecondsLeft = async () => (await person.order(order.id)).seconds_until_expiry
  await expect.poll(readSecondsLeft).toBeGreaterThan(86_000)
  return order
}

describe('an id that is held without payment', () => {
  it('is held for 15 minutes a day per account, then 422 says when it is possible again', async () => {
    stopTheClock()
    const person = await newBuyer()
    const id = newId()
    const begunAt = new Date(shop.clock.now().getTime() - 8 * minuteMs)
    await insertHold(person, await person.add(id), 8)
    await holdFor(person, 4)
    const last = await person.checkout('CardCheckout')
    expect(last.seconds_until_expiry).toBeLessThanOrEqual(3 * 60)
    shop.clock.advance(3 * minuteMs)

    const refusal = await refusalOf(person)
    const retryAt = new Date(refusal.possible_at)
    expect(retryAt.getTime()).toBeGreaterThan(begunAt.getTime() + dayMs)
    expect(refusal.fields.eid).toEqual([{ code: 'hold_limit', message: refusal.error }])
    expect(refusal.error).toContain(id)
    expect(refusal.error).toContain(retryAt.toISOString())
    const other = await newBuyer()
    expect(await other.pending('CardCheckout', [id])).toMatchObject({ status: 'PendingPayment' })
    await toDraft(other)

    shop.clock.advance(retryAt.getTime() - shop.clock.now().getTime() - 5 * minuteMs)
    await shop.run('orders.sweep')
    await refusalOf(person)
    shop.clock.advance(5 * minuteMs)
    const returnedPerson = await returningBuyer(shop, person)
    const allowedOrder = await returnedPerson.checkout('CardCheckout')
    expect(allowedOrder.status).toBe('PendingPayment')
    expect(allowedOrder.seconds_until_expiry).toBeGreaterThanOrEqual(59)
  })

  it('counts as held even if the cart is emptied, refilled, or bought without it', async () => {
    const first = await newBuyer()
    const id = newId()
    await first.add(id)
    await holdFor(first, 5)
    await first.delete('/api/cart')
    await first.add(newId(), id)
    await holdFor(first, 5)
    const person = await returningBuyer(shop, first)
    const { order_items } = await person.cart()
    const item = order_items.find(({ emoji_id }) => emoji_id === id)
    await person.delete(`/api/cart/cart_items/${item?.id}`)
    expect(await payWithCash(await logIn(shop, admin), await person.cart())).toMatchObject({
      status: 'Paid',
    })
    await person.add(id)
    await holdFor(person, 5)
    expect((await refusalOf(person)).fields.eid[0]?.message).toContain(id)
  })

  it('blocks the checkout of its cart until it is removed or bought with cash', async () => {
    const person = await newBuyer()
    const [id, other] = [newId(), newId()]
    await insertHold(person, await person.add(id), 15)
    await person.add(other)
    expect((await refusalOf(person)).fields.eid).toHaveLength(1)
    const item = (await person.cart()).order_items.find(({ emoji_id }) => emoji_id === id)
    await person.delete(`/api/cart/cart_items/${item?.id}`)
    expect(await person.checkout('CardCheckout')).toMatchObject({ status: 'PendingPayment' })
    expect((await toDraft(person)).status).toBe(200)
    const order = await person.add(id)
    await refusalOf(person)
    expect(await payWithCash(await logIn(shop, admin), order)).toMatchObject({ status: 'Paid' })
  })

  it('has one limit for all carts of an account, even for concurrent checkouts', async () => {
    const person = await newBuyer()
    const id = newId()
    const savedOrder = await person.add(id)
    await shop.db
      .updateTable('orders')
      .set({ is_current: false })
      .where('id', '=', savedOrder.id)
      .execute()
    const current = await person.add(id)
    const paths = [savedOrder, current].map((cart) => `/api/cart/checkout/${cart.id}`)
    const checkOutBoth = async () => {
      const returnedPerson = await returningBuyer(shop, person)
      const answers = await Promise.all(paths.map((path) => returnedPerson.post(path, card)))
      return answers.map((answer) => answer.json()['code'] ?? answer.status).toSorted()
    }
    await insertHold(person, savedOrder, 5)
    await insertHold(person, current, 5)
    expect(await checkOutBoth()).toEqual([200, 'pending_purchase'])
    shop.clock.advance(5 * minuteMs)
    await shop.run('orders.sweep')
    expect(await checkOutBoth()).toEqual(['hold_limit', 'hold_limit'])
  })

  it('is held no longer for a partial payment', async () => {
    const person = await newBuyer()
    const id = newId()
    await insertHold(person, await person.add(id), 10)
    const order = await person.checkout('CryptoCommerce')
    await shop.pay(order, { percent: 90 })
    await expect.poll(async () => (await person.cart()).payment_under_way).toBe(true)
    await shop.settle()
    expect((await person.cart()).seconds_until_expiry).toBeLessThanOrEqual(5 * 60)
    shop.clock.advance(5 * minuteMs)
    await shop.run('orders.sweep')
    const later = await returningBuyer(shop, person)
    expect((await later.order(order.id)).status).toBe('Cancelled')
    await later.add(id)
    await refusalOf(person)
  })

  it('is held while the full amount is pending, and not counted once that has bought it', async () => {
    const person = await newBuyer()
    const id = newId()
    const order = await seenInFull(person, id)
    const timesOf = () =>
      shop.db.selectFrom('hold_times').selectAll().where('order_id', '=', order.id).execute()
    expect(await timesOf()).toHaveLength(1)
    shop.clock.advance(10 * minuteMs)
    await shop.atProvider(`/invoices/${order.payment_method_data?.invoice_id}/confirm`)
    await person.until(order.id, 'Paid')
    expect(await timesOf()).toEqual([])
  })

  it('counts as held while money was pending that never arrived', async () => {
    const person = await newBuyer()
    const order = await seenInFull(person, newId())
    shop.clock.advance(dayMs + 5 * minuteMs)
    await shop.run('orders.sweep')
    const cart = await (await returningBuyer(shop, person)).cart()
    expect(cart).toMatchObject({ id: order.id, status: 'Draft' })
    const begunAt = shop.clock.now()
    const refusal = await refusalOf(person)
    const waitMs = new Date(refusal.possible_at).getTime() - begunAt.getTime()
    expect(waitMs).toBeGreaterThan(dayMs - 15 * minuteMs)
  })

  it('counts as held until its money vanished', async () => {
    const first = await newBuyer()
    const order = await seenInFull(first, newId())
    shop.clock.advance(20 * minuteMs)
    const person = await returningBuyer(shop, first)
    await shop.atProvider(`/invoices/${order.payment_method_data?.invoice_id}/fail`)
    await expect.poll(async () => (await person.cart()).status).toBe('Draft')
    await refusalOf(person)
  })
})
