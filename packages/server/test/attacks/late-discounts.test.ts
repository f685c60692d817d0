import { afterAll, describe, expect, it } from 'vitest'
import { makeCode, typed } from '../support/codes.ts'
import { newId } from '../support/ids.ts'
import { registerAs } from '../support/people.ts'
import { buyer, type Order, shopService } from '../support/shop.ts'

const shop = await shopService()
afterAll(() => shop.close())
const admin = await registerAs(shop, 'Admin')
const codeWith = async (terms: object) =>
  (await makeCode(admin, typed(terms))).redemption_code as string
const usesOf = (code: string) =>
  shop.db
    .selectFrom('code_uses')
    .innerJoin('codes', 'codes.id', 'code_uses.code_id')
    .selectAll('code_uses')
    .where('redemption_code', '=', code)
    .execute()
/** What became of the money that came late. */
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

describe('a checkout with a code that was given up and is paid all the same', () => {
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
    ['by others as often as it may be', { max_uses: 1 }, true],
    ['by the buyer as often as they may', { max_emojis_per_user: 1 }, false],
  ])('gives the money back when the code was used %s (T87)', async (_name, terms, byOther) => {
    const code = await codeWith({ discount_as_percentage: 50, ...terms })
    const person = await buyer(shop)
    await person.pending('CryptoCommerce')
    const cheaper = await person.promo(code)
    await person.delete('/api/cart')
    const next = byOther ? await buyer(shop) : person
    await next.pending('CryptoCommerce', [newId()])
    const paid = await next.promo(code)
    await shop.pay(paid)
    await next.until(paid.id, 'Paid')
    await shop.pay(cheaper)
    await lateOrderOf(cheaper).toBe('Cancelled')
    expect(await usesOf(code)).toMatchObject([{ order_id: paid.id }])
  })
})

it('money that came before a code made the order free goes back', async () => {
  const code = await codeWith({ discount_as_percentage: 100 })
  const person = await buyer(shop)
  const order = await person.pending('CryptoCommerce')
  await shop.pay(order, { percent: 40 })
  await expect
    .poll(async () => (await person.order(order.id)).remaining_due_in_cents)
    .toBeLessThan(order.total_in_cents)
  await person.promo(code)
  const paid = await person.checkout('Free')
  const received = paid.amount_overpaid_in_cents
  expect(received).toBeGreaterThan(0)
  expect(paid.status).toBe('Paid')
  const paidOut = async () => (await person.order(order.id)).misc_refunded_total_in_cents
  await expect.poll(paidOut).toBe(received)
})
