import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../../test/support/ids.ts'
import { type Person, registerAs } from '../../../../test/support/people.ts'
import {
  type Buyer,
  buyer,
  type Order,
  type ShopService,
  shopService,
} from '../../../../test/support/shop.ts'

type Page = { data: Order[]; paging: Record<string, unknown> }

let shop: ShopService
beforeAll(async () => {
  shop = await shopService()
})
afterAll(() => shop.close())
let admin: Person
let anna: Buyer
let bert: Buyer
let paidOrder: Order[] = []
let draft: Order
let berts: Order
beforeAll(async () => {
  admin = await registerAs(shop, 'Admin')
  anna = await buyer(shop)
  bert = await buyer(shop)
  const pay = async (n: number) => {
    const { id } = await anna.add(newId())
    const cash = { method: 'Cash', amount: 400, external_reference: `till ${n}` }
    const tracking = n === 0 ? { tracking_data: { campaign: 'spring' } } : {}
    const answer = await admin.post(`/api/cart/checkout/${id}`, { ...cash, ...tracking })
    return answer.json<Order>()
  }
  paidOrder = [await pay(0), await pay(1), await pay(2)]
  draft = await anna.add(newId())
  berts = await bert.pending()
})
const list = async (person: Pick<Person, 'get'>, query = '') =>
  (await person.get(`/api/orders?${query}`)).json<Page>()
const idsOf = (orders: readonly Order[]) => orders.map(({ id }) => id)

describe('GET /orders', () => {
  it('finds by number, id, buyer and day, and only orders the caller may see', async () => {
    const [first] = paidOrder as [Order]
    const day = new Date(berts.created_at).toISOString().slice(0, 10)
    const search = async (query: string, person: Pick<Person, 'get'> = admin) =>
      idsOf((await list(person, query)).data)
    expect(await search(`q=${first.order_number.toUpperCase()}`)).toEqual([first.id])
    expect(await search(`q=${first.id}`)).toEqual([first.id])
    expect(await search(`q=${bert.id}`)).toEqual([berts.id])
    expect(await search(`q=${bert.email.slice(0, 20).toUpperCase()}`)).toEqual([berts.id])
    expect(await search(`q=${berts.order_number}`, anna)).toEqual([])
    expect(await search(`q=${bert.email}`, anna)).toEqual([])
    expect(await search(`from=${day}&to=${day}&status=PendingPayment`)).toEqual([berts.id])
    expect(await search('to=2001-01-01')).toEqual([])
    expect(await search('from=2999-12-31')).toEqual([])
    for (const text of ['2026-02-30', '0000-01-01', 'today']) {
      expect((await admin.get(`/api/orders?from=${text}`)).status).toBe(400)
    }
  })

  it('shows own orders, newest first', async () => {
    const { data, paging } = await list(anna)
    expect(idsOf(data)).toEqual(idsOf([draft, ...paidOrder.toReversed()]))
    expect(paging).toMatchObject({ page: 0, limit: 50, total: 4, sort: 'created_at', dir: 'Desc' })
    expect(data.every((order) => !('tracking_data' in order))).toBe(true)
  })

  it('comes in pages, each order once', async () => {
    const pages = await Promise.all([0, 1, 2].map((page) => list(anna, `limit=3&page=${page}`)))
    expect(pages.map(({ data }) => data.length)).toEqual([3, 1, 0])
    expect(new Set(pages.flatMap(({ data }) => idsOf(data))).size).toBe(4)
    const { data } = await list(anna, 'dir=Asc&limit=1')
    expect(idsOf(data)).toEqual([paidOrder[0]?.id])
  })

  it('is filtered by status', async () => {
    expect(idsOf((await list(anna, 'status=Paid&dir=Asc')).data)).toEqual(idsOf(paidOrder))
    expect(idsOf((await list(anna, 'status=Draft')).data)).toEqual([draft.id])
    expect((await list(anna, 'status=Cancelled')).data).toEqual([])
    expect(idsOf((await list(anna, 'placed=true&dir=Asc')).data)).toEqual(idsOf(paidOrder))
    expect((await list(anna, 'placed=true&status=Draft')).data).toEqual([])
    expect((await anna.get('/api/orders?status=paid')).status).toBe(400)
  })

  it('omits empty carts if only filled orders are requested', async () => {
    const carl = await buyer(shop)
    const listOrders = async (filter: string) => {
      const page = await admin.get(`/api/orders?user_id=${carl.id}&${filter}`)
      return page.json<{ data: Order[] }>().data.length
    }
    await carl.cart()
    expect([await listOrders('filled=true'), await listOrders('status=Draft')]).toEqual([0, 1])
    const { order_items } = await carl.add(newId())
    expect(await listOrders('filled=true')).toBe(1)
    await carl.delete(`/api/cart/cart_items/${order_items[0]?.id}`)
    expect([await listOrders('filled=true'), await listOrders('')]).toEqual([0, 1])
  })

  it('shows orders of other users to operators only', async () => {
    expect((await anna.get(`/api/orders?user_id=${bert.id}`)).status).toBe(403)
    expect(idsOf((await list(anna, `user_id=${anna.id}`)).data)).toHaveLength(4)
    expect(idsOf((await list(admin, `user_id=${bert.id}`)).data)).toEqual([berts.id])
    const { data } = await list(admin)
    expect(idsOf(data)).toEqual(expect.arrayContaining(idsOf([...paidOrder, draft, berts])))
    const first = data.find(({ id }) => id === paidOrder[0]?.id)
    expect(first?.tracking_data).toEqual({ campaign: 'spring' })
    expect((await shop.get('/api/orders')).status).toBe(401)
  })

  it.each([
    "user_id=' OR 1=1--",
    'user_id=%25',
    'user_id=',
    'status=%27',
    'status=Paid&status=Draft',
  ])('rejects an invalid query: %s (T109)', async (query) => {
    expect((await admin.get(`/api/orders?${query.replaceAll(' ', '%20')}`)).status).toBe(400)
  })
})

describe('GET /orders/:id', () => {
  it('shows an order to its buyer and to operators only (T60)', async () => {
    const path = `/api/orders/${berts.id}`
    expect((await bert.get(path)).json<Order>()).toMatchObject({
      id: berts.id,
      status: 'PendingPayment',
      user_id: bert.id,
      payment_method_data: berts.payment_method_data,
    })
    const hidden = await anna.get(path)
    const missing = await anna.get(`/api/orders/${randomUUID()}`)
    expect([hidden.status, hidden.json()['error']]).toEqual([404, missing.json()['error']])
    expect((await admin.get(path)).status).toBe(200)
    expect((await shop.get(path)).status).toBe(401)
    expect((await anna.get("/api/orders/1'")).status).toBe(400)
  })

  it('shows the partner’s tracking data to operators, not to the buyer', async () => {
    const path = `/api/orders/${paidOrder[0]?.id}`
    expect((await admin.get(path)).json()).toMatchObject({ tracking_data: { campaign: 'spring' } })
    expect((await anna.get(path)).json()).not.toHaveProperty('tracking_data')
  })
})

describe('an account with an order that waits for its payment', () => {
  it('is not deleted, unlike one with a cart (T99)', async () => {
    const person = await buyer(shop)
    const { id } = await person.pending()
    const leave = () => person.delete(`/api/users/${person.id}`)
    const refusal = await leave()
    expect([refusal.status, refusal.json()['code']]).toEqual([422, 'pending_order'])
    expect((await person.order(id)).status).toBe('PendingPayment')
    expect((await person.post('/api/cart/convert_to_draft')).status).toBe(200)
    expect((await leave()).status).toBe(200)
  })
})

describe('a receipt', () => {
  it('is emailed again when an operator requests it', async () => {
    const order = paidOrder[1] as Order
    const receipts = () =>
      shop.mailsTo(anna.email).filter(({ subject }) => subject?.includes(order.order_number))
    await expect.poll(() => receipts().length).toBe(1)
    const answer = await admin.post(`/api/orders/${order.id}/resend_confirmation`)
    expect([answer.status, answer.json<Order>().id]).toEqual([200, order.id])
    await expect.poll(() => receipts().length).toBe(2)
    expect(receipts()[1]?.text).toBe(receipts()[0]?.text)
    const audit = await admin.get('/api/admin/audit?event=order.receipt_resent')
    expect(audit.body).toContain(order.id)
  })

  it('is emailed again at the buyer’s request, and for no other user (T60)', async () => {
    const order = paidOrder[0] as Order
    const receipts = () =>
      shop.mailsTo(anna.email).filter(({ subject }) => subject?.includes(order.order_number))
    await expect.poll(() => receipts().length).toBe(1)
    const path = `/api/orders/${order.id}/resend_confirmation`
    expect((await bert.post(path)).status).toBe(404)
    const answer = await anna.post(path)
    expect(answer.status).toBe(200)
    expect(answer.json()).not.toHaveProperty('tracking_data')
    await expect.poll(() => receipts().length).toBe(2)
    const unpaidAnswer = await bert.post(`/api/orders/${berts.id}/resend_confirmation`)
    expect([unpaidAnswer.status, unpaidAnswer.json()['code']]).toEqual([422, 'not_paid'])
  })
})

describe('a refund request', () => {
  const ask = (
    person: Pick<Person, 'post'>,
    { id }: Order,
    reason: unknown = 'I changed my mind',
  ) => person.post(`/api/orders/${id}/refund_request`, { reason })

  it('is noted for operators, and moves no money', async () => {
    const order = paidOrder[2] as Order
    const answer = await ask(anna, order)
    expect(answer.status).toBe(200)
    expect(answer.json<Order>()).toMatchObject({ status: 'Paid', refunded_total_in_cents: 0 })
    const audit = await admin.get('/api/admin/audit?event=order.refund_requested')
    expect(audit.body).toContain(order.id)
    expect(audit.body).toContain('I changed my mind')
    expect(await shop.ownerOf(order.order_items[0]?.emoji_id ?? '')).toBe(anna.id)
  })

  it('needs an own paid order and a reason', async () => {
    const [order, unpaidOrder] = [paidOrder[2] as Order, draft]
    expect((await ask(bert, order)).status).toBe(404)
    expect((await ask(admin, order)).status).toBe(404)
    const earlyAnswer = await ask(anna, unpaidOrder)
    expect([earlyAnswer.status, earlyAnswer.json()['code']]).toEqual([422, 'not_paid'])
    for (const reason of ['', '  ', 5, null, 'x'.repeat(1_001)]) {
      expect((await ask(anna, order, reason)).status).toBe(400)
    }
    expect(
      (await shop.post(`/api/orders/${order.id}/refund_request`, { reason: 'x' })).status,
    ).toBe(401)
  })
})
