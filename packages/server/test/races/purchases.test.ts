import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeCode, redemptionCode } from '../support/codes.ts'
import { newId } from '../support/ids.ts'
import { type Person, registerAs } from '../support/people.ts'
import { buyer, type Order, type ShopService, shopService } from '../support/shop.ts'

let shop: ShopService
let admin: Person
const people: Awaited<ReturnType<typeof buyer>>[] = []
beforeAll(async () => {
  shop = await shopService({ FREE_CEILING_CENTS: '100000000', DATABASE_POOL_SIZE: '30' })
  admin = await registerAs(shop, 'Admin')
  while (people.length < 4) people.push(await buyer(shop))
})
afterAll(() => shop.close())
const newCode = async (terms: object) =>
  (await makeCode(admin, redemptionCode({ discount_as_percentage: 100, ...terms })))
    .redemption_code as string
const grantedTo = (id: string) =>
  shop.db.selectFrom('emoji_ids').select('emoji_id').where('emoji_id', '=', id).execute()
const paidOrdersOf = (user_id: string) =>
  shop.db
    .selectFrom('orders')
    .select('id')
    .where('user_id', '=', user_id)
    .where('status', '=', 'Paid')
    .execute()
const setFree = (user_id: string, free_limit: number) =>
  shop.db.updateTable('users').set({ free_limit, free_used: 0 }).where('id', '=', user_id).execute()

describe('four buyers of the same id', () => {
  it('end with one owner (T85)', async () => {
    await Promise.all(people.map(({ id }) => setFree(id, 1_000)))
    const id = newId()
    await Promise.all(people.map((person) => person.add(id)))
    const answers = await Promise.all(
      people.map((person) => person.post('/api/cart/checkout', { method: 'Free' })),
    )
    const winners = answers.filter(({ status }) => status === 200)
    expect(winners.map((answer) => answer.json<Order>().status)).toEqual(['Paid'])
    const others = answers.filter(({ status }) => status !== 200)
    expect(others.filter(({ status }) => status !== 422).map(({ body }) => body)).toEqual([])
    for (const { body } of others) expect(body).toMatch(/"code":"(taken|pending_purchase)"/)
    expect(await grantedTo(id)).toHaveLength(1)
    const carts = await Promise.all(people.map((person) => person.get('/api/cart')))
    const marks = carts.flatMap((cart) =>
      cart.json<Order>().order_items.map((item) => item.marked_invalid_at_reason),
    )
    expect(marks).toHaveLength(people.length - 1)
    expect(marks.every((mark) => mark === 'Taken' || mark === 'PendingPurchase')).toBe(true)
    await Promise.all(people.map((person) => person.delete('/api/cart')))
  })
})

describe('one cart', () => {
  it('checked out four times at once is paid for once (T86)', async () => {
    const person = await buyer(shop)
    await setFree(person.id, 1)
    const id = newId()
    const cart = await person.add(id)
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, n) =>
        person.post(`/api/cart/checkout${n % 2 === 0 ? '' : `/${cart.id}`}`, { method: 'Free' }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => ![200, 422].includes(status))).toEqual([])
    expect(await paidOrdersOf(person.id)).toHaveLength(1)
    expect(await grantedTo(id)).toHaveLength(1)
    await shop.settle()
    const receipts = shop
      .mailsTo(person.email)
      .filter(({ subject }) => subject?.includes('receipt'))
    expect(receipts).toHaveLength(1)
  })

  it('checked out by card four times at once has one payment', async () => {
    const person = await buyer(shop)
    await person.add(newId())
    const answers = await Promise.all(
      Array.from({ length: 4 }, () =>
        person.post('/api/cart/checkout', { method: 'CardCheckout' }),
      ),
    )
    const intents = answers.map((answer) => answer.json<Order>().payment_method_data)
    expect(new Set(intents.map((data) => data?.payment_intent_id)).size).toBe(1)
  })

  it('paid, converted and emptied at once ends in one legal state', async () => {
    const person = await buyer(shop)
    const id = newId()
    await person.add(id)
    const order = await person.checkout('CardCheckout')
    await Promise.allSettled([
      shop.pay(order),
      person.post('/api/cart/convert_to_draft'),
      person.delete('/api/cart'),
      person.post('/api/cart/checkout', { method: 'CardCheckout' }),
    ])
    await shop.settle()
    const paidOrders = await paidOrdersOf(person.id)
    const granted = await grantedTo(id)
    expect(paidOrders.length).toBe(granted.length)
    const entries = await shop.db.selectFrom('ledger_entries').selectAll().execute()
    const own = entries.filter(({ order_id }) => paidOrders.some((one) => one.id === order_id))
    expect(own.reduce((sum, { amount_in_cents }) => sum + Number(amount_in_cents), 0)).toBe(
      paidOrders.length * order.total_in_cents,
    )
  })
})

describe('a single resource', () => {
  it('a single resource is used once: a code that four try (T87)', async () => {
    const code = await newCode({ max_uses: 1 })
    const buyers = people
    await Promise.all(buyers.map((person) => person.pending('CardCheckout')))
    const answers = await Promise.all(
      buyers.map((person) => person.post('/api/cart/promo_code', { code })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 422]))
  })

  it('a single resource is granted once: a free id that three checkouts want (T87)', async () => {
    const person = await buyer(shop)
    await setFree(person.id, 1)
    const saved: string[] = []
    for (let n = 0; n < 3; n++) {
      saved.push((await person.add(newId())).id)
      await shop.db
        .updateTable('orders')
        .set({ is_current: false })
        .where('user_id', '=', person.id)
        .execute()
    }
    const answers = await Promise.all(
      saved.map((id) => person.post(`/api/cart/checkout/${id}`, { method: 'Free' })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await paidOrdersOf(person.id)).toHaveLength(1)
    const { user } = (await person.get('/api/account')).json<{ user: Record<string, unknown> }>()
    expect(user).toMatchObject({ free_limit: 1, remaining_free_emoji: 0 })
  })
})
