import { describe, expect, it } from 'vitest'
import { makeCode, redemptionCode } from '../support/codes.ts'
import { newId } from '../support/ids.ts'
import { registerAs } from '../support/people.ts'
import { sharedShop } from '../support/shared-service.ts'
import { buyer, type Order, payWithCash } from '../support/shop.ts'

const shop = await sharedShop()
const admin = await registerAs(shop, 'Admin')
const codeWith = async (terms: object) =>
  (await makeCode(admin, redemptionCode(terms))).redemption_code as string
const newPartner = async (client_fee_percent: number) => {
  const organizationResponse = await admin.post('/api/admin/organizations', {
    name: 'Crabs',
    client_fee_percent,
  })
  return organizationResponse.json<{ id: string }>().id
}
const usesOf = (code: string) =>
  shop.db
    .selectFrom('code_uses')
    .innerJoin('codes', 'codes.id', 'code_uses.code_id')
    .selectAll('code_uses')
    .where('redemption_code', '=', code)
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
  ])('is refunded when the code was used %s (T87)', async (_name, terms, byOther) => {
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
  })
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

  it.each(changes)('is refunded when its code %s', async (_what, change) => {
    const { person, id, code, order } = await reduced()
    await person.post('/api/cart/convert_to_draft')
    await change(code.id)
    await shop.pay(order)
    await lateOrderOf(order).toBe('Cancelled')
    expect(await shop.ownerOf(id)).toBeUndefined()
    expect(await usesOf(code.redemption_code ?? '')).toEqual([])
  })

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

it('a payment that arrived before a code made the order free is refunded', async () => {
  const code = await codeWith({ discount_as_percentage: 100 })
  const person = await buyer(shop)
  const order = await person.pending('CryptoCommerce')
  await shop.pay(order, { percent: 40 })
  await expect
    .poll(async () => (await person.order(order.id)).remaining_due_in_cents)
    .toBeLessThan(order.total_in_cents)
  await person.promo(code)
  const paidOrder = await person.checkout('Free')
  const receivedCents = paidOrder.amount_overpaid_in_cents
  expect(receivedCents).toBeGreaterThan(0)
  expect(paidOrder.status).toBe('Paid')
  await expect.poll(() => shop.miscSentOf(order.id)).toBe(receivedCents)
})
