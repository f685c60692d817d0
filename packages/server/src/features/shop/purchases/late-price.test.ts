import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../../../test/support/ids.ts'
import { goodPassword, registerAs } from '../../../../test/support/people.ts'
import {
  type Buyer,
  buyer,
  type Order,
  returningBuyer,
  type ShopService,
  shopService,
} from '../../../../test/support/shop.ts'
import { dayMs } from '../../../platform/time.ts'

const holdMs = 300_000
let shop: ShopService
beforeAll(async () => {
  shop = await shopService()
})
afterAll(() => shop.close())

async function setPrices(cents: number): Promise<void> {
  // Costs less than a login.
  const operator = await registerAs(shop, 'Admin')
  const body = { prices: Array(100).fill(cents), reason: 'Prices of this test' }
  const answer = await operator.post('/api/admin/prices', body)
  if (answer.status !== 200) throw new Error(`Could not set prices: ${answer.body}`)
}
const newBuyer = () => buyer(shop, { password: goodPassword })
const invoiceOf = ({ payment_method_data: data }: Order) => data?.invoice_id
/** The order created for late money, once it has one of these statuses. */
async function lateOrder(person: Buyer, cart: Order, ...states: Order['status'][]) {
  const findLate = async () => (await person.orders()).find(({ id }) => id !== cart.id)
  await expect
    .poll(async () => (await findLate())?.status)
    .toSatisfy((status: Order['status']) => states.includes(status))
  return (await findLate()) as Order
}
async function expectRefunded(person: Buyer, cart: Order, id: string): Promise<void> {
  const late = await lateOrder(person, cart, 'Cancelled')
  expect(late).toMatchObject({ refunded_total_in_cents: 400, remaining_due_in_cents: 0 })
  expect(await shop.ledgerOf(late.id)).toMatchObject([
    { kind: 'payment', amount_in_cents: 400 },
    { kind: 'refund', amount_in_cents: -400 },
  ])
  expect(await shop.ownerOf(id)).toBeUndefined()
  expect(await person.cart()).toMatchObject({ id: cart.id, status: 'Draft' })
  await shop.mailAbout(person.email, `${late.order_number} was cancelled`)
  await shop.mailAbout(person.email, `refund for order ${late.order_number}`)
}

beforeEach(() => setPrices(400))

it('late money for a checkout that lapsed (T89) is refunded and its order Cancelled when the price has risen since', async () => {
  const person = await newBuyer()
  const id = newId()
  const order = await person.pending('CryptoCommerce', [id])
  shop.clock.advance(holdMs)
  const cart = await person.cart()
  await setPrices(4_000)
  await shop.pay(order)
  await expectRefunded(person, cart, id)
})

it('late money for a checkout that was returned to a draft buys when the price has fallen since', async () => {
  const person = await newBuyer()
  const id = newId()
  const order = await person.pending('CryptoCommerce', [id])
  const cart = (await person.post('/api/cart/convert_to_draft')).json<Order>()
  await setPrices(300)
  await shop.pay(order)
  await lateOrder(person, cart, 'Paid')
  expect(await shop.ownerOf(id)).toBe(person.id)
})

describe('money that is seen during the hold', () => {
  it('buys at the price of the checkout when it is confirmed after a price rise', async () => {
    const person = await newBuyer()
    const id = newId()
    const order = await person.pending('CryptoCommerce', [id])
    await shop.pay(order, { confirmed: false })
    await expect.poll(async () => (await person.cart()).payment_under_way).toBe(true)
    await setPrices(4_000)
    shop.clock.advance(2 * holdMs)
    await shop.atProvider(`/invoices/${invoiceOf(order)}/confirm`)
    const paidOrder = await person.until(order.id, 'Paid')
    expect(paidOrder.total_in_cents).toBe(400)
    expect(await shop.ownerOf(id)).toBe(person.id)
  })

  it('money seen during the hold also buys when it is confirmed after the end of the extended hold', async () => {
    const before = await newBuyer()
    const id = newId()
    const order = await before.pending('CryptoCommerce', [id])
    await shop.pay(order, { confirmed: false })
    await expect.poll(async () => (await before.cart()).payment_under_way).toBe(true)
    shop.clock.advance(dayMs + 2 * holdMs)
    await shop.run('orders.sweep')
    const person = await returningBuyer(shop, before)
    const cart = await person.cart()
    expect(cart).toMatchObject({ id: order.id, status: 'Draft' })
    await setPrices(4_000)
    await shop.atProvider(`/invoices/${invoiceOf(order)}/confirm`)
    await lateOrder(person, cart, 'Paid')
    expect(await shop.ownerOf(id)).toBe(person.id)
  })

  it('buys nothing later when only a small part of it was seen in time', async () => {
    const person = await newBuyer()
    const id = newId()
    const order = await person.pending('CryptoCommerce', [id])
    await shop.pay(order, { percent: 10, confirmed: false })
    await expect.poll(async () => (await person.cart()).payment_under_way).toBe(true)
    shop.clock.advance(holdMs)
    await shop.run('orders.sweep')
    const cart = await person.cart()
    expect(cart).toMatchObject({ id: order.id, status: 'Draft' })
    await setPrices(4_000)
    await shop.pay(order, { percent: 90 })
    await lateOrder(person, cart, 'Cancelled')
    expect(await shop.ownerOf(id)).toBeUndefined()
  })
})

describe('money that arrives after the end of the hold, before the checkout was ended', () => {
  it('money that arrives after the hold, before the checkout was ended, is refunded after a price rise', async () => {
    const person = await newBuyer()
    const id = newId()
    const order = await person.pending('CardCheckout', [id])
    await setPrices(4_000)
    shop.clock.advance(holdMs)
    await shop.pay(order)
    await expectRefunded(person, order, id)
  })
})

describe('a price rise concurrent with late money', () => {
  it('leads to a purchase or to a refund, never to both', async () => {
    const person = await newBuyer()
    const id = newId()
    const order = await person.pending('CryptoCommerce', [id])
    const cart = (await person.post('/api/cart/convert_to_draft')).json<Order>()
    await Promise.all([setPrices(4_000), shop.pay(order)])
    const late = await lateOrder(person, cart, 'Paid', 'Cancelled')
    const isPaid = late.status === 'Paid'
    expect(late.refunded_total_in_cents).toBe(isPaid ? 0 : 400)
    expect(await shop.ownerOf(id)).toBe(isPaid ? person.id : undefined)
  })
})
