import { describe, expect, it } from 'vitest'
import { makeCode, redemptionCode } from '../support/codes.ts'
import { newId } from '../support/ids.ts'
import { logIn, registerAs } from '../support/people.ts'
import { sharedShop } from '../support/shared-service.ts'
import { buyer, type Order, payWithCash } from '../support/shop.ts'

const shop = await sharedShop()
const admin = await registerAs(shop, 'Admin')
const codeWith = async (terms: object) =>
  (await makeCode(await logIn(shop, admin), redemptionCode(terms))).redemption_code as string
const idOf = async (text: string) =>
  (await (await logIn(shop, admin)).get(`/api/codes?q=${text}`)).json<{ data: { id: string }[] }>()
    .data[0]?.id ?? ''
const newPartner = async (client_fee_percent: number) => {
  const organizationResponse = await admin.post('/api/admin/organizations', {
    name: 'Crabs',
    client_fee_percent,
  })
  return organizationResponse.json<{ id: string }>().id
}
const usesOf = async (text: string) =>
  shop.db
    .selectFrom('code_uses')
    .selectAll()
    .where('code_id', '=', await idOf(text))
    .execute()
/** The outcome of the late payment. */
const lateOrderOf = ({ id }: Order) => {
  const find = () =>
    shop.db
      .selectFrom('payment_attempts')
      .innerJoin('orders', 'orders.id', 'late_order_id')
      .select('orders.status')
      .where('order_id', '=', id)
      .executeTakeFirst()
  return expect.poll(async () => (await find())?.status)
}

describe('a cancelled checkout with a code that is paid late', () => {
  it('uses the code', async () => {
    const code = await codeWith({ discount_as_percentage: 50, max_uses: 1 })
    const person = await buyer(shop)
    await person.pending('CryptoCommerce')
    const cheaper = await person.promo(code)
    await person.post('/api/cart/convert_to_draft')
    expect(await usesOf(code)).toEqual([])
    await shop.pay(cheaper)
    await lateOrderOf(cheaper).toBe('Paid')
    expect(await usesOf(code)).toMatchObject([{ counted_at: expect.any(Date), emojis: 1 }])
  })

  it.each([
    ['up by other buyers', { max_uses: 1 }, true],
    ['up by the buyer', { max_emojis_per_user: 1 }, false],
  ])(
    'a cancelled checkout with a code that is paid late is refunded when the code was used %s (T87)',
    async (_name, terms, byOther) => {
      const code = await codeWith({ discount_as_percentage: 50, ...terms })
      const person = await buyer(shop)
      await person.pending('CryptoCommerce')
      const cheaper = await person.promo(code)
      await person.delete('/api/cart')
      const next = byOther ? await buyer(shop) : person
      await next.pending('CryptoCommerce', [newId()])
      const paidOrder = await next.promo(code)
      expect(await payWithCash(admin, paidOrder)).toMatchObject({ status: 'Paid' })
      await shop.pay(cheaper)
      await lateOrderOf(cheaper).toBe('Cancelled')
      expect(await usesOf(code)).toMatchObject([{ order_id: paidOrder.id }])
    },
  )
})

describe('a late payment for a checkout whose price has risen', () => {
  const changes: [string, (code_id: string) => Promise<unknown>][] = [
    ['is deleted', (id) => admin.delete(`/api/admin/codes/${id}`)],
    [
      'expires',
      (id) => admin.patch(`/api/admin/codes/${id}`, { end_date: '2001-01-01T00:00:00Z' }),
    ],
    [
      'has a lower discount',
      (id) => admin.patch(`/api/admin/codes/${id}`, { discount_as_percentage: 89 }),
    ],
  ]
  const reduced = async (method = 'CryptoCommerce') => {
    const code = await makeCode(admin, redemptionCode({ discount_as_percentage: 90 }))
    const [person, id] = [await buyer(shop), newId()]
    await person.pending(method, [id])
    return { person, id, code, order: await person.promo(code.redemption_code ?? '') }
  }
  const inFlow = async (organization_id: string) => {
    const [person, id] = [await buyer(shop), newId()]
    await person.post('/api/cart', { items: [{ emoji_id: id }], organization_id })
    return { person, id, order: await person.checkout('CryptoCommerce') }
  }
  const setFee = (id: string, client_fee_percent: number) =>
    admin.patch(`/api/admin/organizations/${id}`, { client_fee_percent })

  it.each(changes)(
    'a late payment for a checkout whose price has risen is refunded when its code %s',
    async (_what, change) => {
      const { person, id, code, order } = await reduced()
      await person.post('/api/cart/convert_to_draft')
      await change(code.id)
      await shop.pay(order)
      await lateOrderOf(order).toBe('Cancelled')
      expect(await shop.ownerOf(id)).toBeUndefined()
      expect(await usesOf(code.redemption_code ?? '')).toEqual([])
    },
  )

  it('buys at the checkout price when it was seen in full during the hold', async () => {
    const { person, id, code, order } = await reduced()
    await shop.pay(order, { confirmed: false })
    await expect.poll(async () => (await person.cart()).payment_under_way).toBe(true)
    await admin.delete(`/api/admin/codes/${code.id}`)
    await shop.atProvider(`/invoices/${order.payment_method_data?.invoice_id}/confirm`)
    expect(await person.until(order.id, 'Paid')).toMatchObject({
      total_in_cents: order.total_in_cents,
    })
    expect(await shop.ownerOf(id)).toBe(person.id)
  })

  it.each([
    ['is refunded when the partner’s fee rose', 10, 'Cancelled'],
    ['buys when the partner’s fee fell', 0, 'Paid'],
  ] as const)('%s', async (_what, fee, status) => {
    const partner = await newPartner(5)
    const { person, id, order } = await inFlow(partner)
    await person.post('/api/cart/convert_to_draft')
    await setFee(partner, fee)
    await shop.pay(order)
    await lateOrderOf(order).toBe(status)
    expect(await shop.ownerOf(id)).toBe(status === 'Paid' ? person.id : undefined)
  })
})

describe('money that covers the price once a code lowers it', () => {
  /** A checkout for 400 cents of which this part arrived. */
  const partlyPaid = async (method: 'CryptoCommerce' | 'Cash', cents: number) => {
    const [person, id] = [await buyer(shop), newId()]
    const order = await person.pending('CryptoCommerce', [id])
    const parts = (100 * cents) / order.total_in_cents
    if (method === 'Cash') await payWithCash(await logIn(shop, admin), order, cents)
    else await shop.pay(order, { percent: parts })
    const due = async () => (await person.order(order.id)).remaining_due_in_cents
    await expect.poll(due).toBe(order.total_in_cents - cents)
    return { person, id, order }
  }

  it.each([
    ['90 %', 'CryptoCommerce', 90, 160],
    ['100 %', 'CryptoCommerce', 100, 200],
    ['exactly as much as is due', 'CryptoCommerce', 50, 0],
    ['90 % after cash', 'Cash', 90, 160],
  ] as const)('buys at once with a code of %s (T89)', async (_what, method, percent, excess) => {
    const { person, id, order } = await partlyPaid(method, 200)
    const paidOrder = await person.promo(await codeWith({ discount_as_percentage: percent }))
    expect(paidOrder).toMatchObject({
      id: order.id,
      status: 'Paid',
      remaining_due_in_cents: 0,
      amount_overpaid_in_cents: excess,
    })
    expect(await shop.ownerOf(id)).toBe(person.id)
    const refunds = () =>
      shop.db.selectFrom('refunds').select('amount_in_cents').where('order_id', '=', order.id)
    expect((await refunds().execute()).map(({ amount_in_cents }) => amount_in_cents)).toEqual(
      excess === 0 ? [] : [excess],
    )
    if (method === 'CryptoCommerce') await expect.poll(() => shop.miscSentOf(order.id)).toBe(excess)
    shop.clock.advance(300_000)
    await shop.run('orders.sweep')
    expect((await person.order(order.id)).status).toBe('Paid')
    expect(await shop.ownerOf(id)).toBe(person.id)
  })

  it('money that covers the price once a code lowers it leaves the rest due while it is less, and a code of one cent more buys', async () => {
    const { person, order } = await partlyPaid('Cash', 200)
    const terms = { discount_as_percentage: null, combinable: true }
    const rest = await person.promo(await codeWith({ ...terms, discount_in_cents: 199 }))
    expect(rest).toMatchObject({ status: 'PendingPayment', remaining_due_in_cents: 1 })
    const paidOrder = await person.promo(await codeWith({ ...terms, discount_in_cents: 1 }))
    expect(paidOrder).toMatchObject({ id: order.id, status: 'Paid', amount_overpaid_in_cents: 0 })
  })

  it('buys once when codes and payments arrive together', async () => {
    const persons = await Promise.all(
      [1, 2, 3, 4].map(async () => {
        const [person, id, code] = [
          await buyer(shop),
          newId(),
          await codeWith({ discount_as_percentage: 60 }),
        ]
        return { person, id, code, order: await person.pending('CryptoCommerce', [id]) }
      }),
    )
    await Promise.all(
      persons.flatMap(({ person, order, code }, nth) => [
        shop.pay(order, { percent: nth % 2 ? 100 : 50 }),
        person.post('/api/cart/promo_code', { code }),
      ]),
    )
    for (const { person, id, order } of persons) {
      const paidOrder = await person.until(order.id, 'Paid')
      await expect.poll(() => shop.miscSentOf(order.id)).toBe(paidOrder.amount_overpaid_in_cents)
      expect(await shop.ownerOf(id)).toBe(person.id)
    }
  })

  it('buys at the end of the hold, at the next checkout and at the next check of its payment if no code granted it', async () => {
    const ends = [
      async ({ id }: Order) => {
        shop.clock.advance(300_000)
        await shop.run('orders.sweep')
        return id
      },
      async ({ id }: Order, person: Awaited<ReturnType<typeof buyer>>) => {
        const answer = await person.post('/api/cart/checkout', { method: 'CardCheckout' })
        expect(answer.json()).toMatchObject({ id, status: 'Paid' })
        return id
      },
      async ({ id }: Order) => {
        shop.clock.advance(61_000)
        await shop.run('payments.reconcile')
        return id
      },
    ]
    for (const end of ends) {
      const { person, id, order } = await partlyPaid('CryptoCommerce', 200)
      // An earlier release left it like this.
      await shop.db
        .updateTable('order_items')
        .set({ unit_price_in_cents: 150 })
        .where('order_id', '=', order.id)
        .execute()
      await end(order, person)
      expect(await person.until(order.id, 'Paid')).toMatchObject({ amount_overpaid_in_cents: 50 })
      expect(await shop.ownerOf(id)).toBe(person.id)
    }
  })
})

it('a code that covers an order without money waits for its free checkout', async () => {
  const person = await buyer(shop)
  const order = await person.pending('CryptoCommerce')
  const covered = await person.promo(await codeWith({ discount_as_percentage: 100 }))
  expect(covered).toMatchObject({ status: 'PendingPayment', remaining_due_in_cents: 0 })
  expect(await person.checkout('Free')).toMatchObject({ id: order.id, status: 'Paid' })
})
