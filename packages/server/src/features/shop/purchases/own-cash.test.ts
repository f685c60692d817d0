import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../../test/support/ids.ts'
import { registerAs } from '../../../../test/support/people.ts'
import type { testService } from '../../../../test/support/service.ts'
import { sharedShop } from '../../../../test/support/shared-service.ts'
import { buyer, type Order, type ShopService, shopService } from '../../../../test/support/shop.ts'

const shop = await sharedShop()
let strict: ShopService
beforeAll(async () => {
  strict = await shopService({ CASH_FOUR_EYES: 'true' })
})
afterAll(() => strict.close())

/** An operator with an id in their own cart. */
async function shoppingOperator(service: Awaited<ReturnType<typeof testService>>) {
  const operator = await registerAs(service, 'Admin')
  const id = newId()
  const cart = await operator.post('/api/cart', { items: [{ emoji_id: id }] })
  const { id: order_id, total_in_cents } = cart.json<Order>()
  const cash = { method: 'Cash', amount: total_in_cents, external_reference: `till ${order_id}` }
  return { operator, id, order_id, cash }
}

describe('cash of an operator for their own cart', () => {
  it('pays for it, with external_reference as the reason in the audit log and the books', async () => {
    const { operator, id, order_id, cash } = await shoppingOperator(shop)
    const answer = await operator.post('/api/cart/checkout', cash)
    expect([answer.status, answer.json<Order>().status]).toEqual([200, 'Paid'])
    expect(answer.json<Order>().payment_method_data).toBeNull()
    expect(await shop.ownerOf(id)).toBe(operator.id)
    const page = await operator.get('/api/admin/audit?event=order.cash_taken&limit=1')
    expect(page.json<{ data: object[] }>().data).toMatchObject([
      { actor_id: operator.id, details: { order_id, reason: cash.external_reference } },
    ])
    const books = await operator.get(`/api/admin/orders/${order_id}/books`)
    expect(books.json<{ entries: object[] }>().entries).toMatchObject([
      { kind: 'cash', reason: cash.external_reference, actor_id: operator.id },
    ])
  })

  it('needs an amount and an external_reference, and a reference counts once', async () => {
    const { operator, cash } = await shoppingOperator(shop)
    for (const missing of [{ amount: cash.amount }, { external_reference: 'till' }]) {
      const answer = await operator.post('/api/cart/checkout', { method: 'Cash', ...missing })
      expect([answer.status, answer.json()['code']]).toEqual([422, 'missing_cash_details'])
    }
    const answers = await Promise.all(
      [1, 2, 3].map(() => operator.post('/api/cart/checkout', cash)),
    )
    const paymentAnswers = answers.filter((answer) => answer.json()['status'] === 'Paid')
    expect(paymentAnswers).toHaveLength(1)
  })

  it('is refused to users who are not operators', async () => {
    const person = await buyer(shop)
    const { total_in_cents: amount } = await person.add(newId())
    const cash = { method: 'Cash', amount, external_reference: 'my pocket' }
    expect((await person.post('/api/cart/checkout', cash)).status).toBe(403)
  })

  it('cannot be refunded by the same operator', async () => {
    const { operator, id, order_id, cash } = await shoppingOperator(shop)
    await operator.post('/api/cart/checkout', cash)
    const reason = 'It is mine'
    const requests: [string, object][] = [
      ['refund', { reason }],
      ['refund', { reason, override: true }],
      ['misc_refund', { reason, amount_in_cents: 1 }],
    ]
    for (const [path, body] of requests) {
      const answer = await operator.post(`/api/orders/${order_id}/${path}`, body)
      expect([path, answer.status, answer.json()['code']]).toEqual([path, 403, 'own_order'])
    }
    expect(await shop.ownerOf(id)).toBe(operator.id)
  })

  it('is refused with CASH_FOUR_EYES, but another operator can book it', async () => {
    const { operator, order_id, cash } = await shoppingOperator(strict)
    for (const path of ['/api/cart/checkout', `/api/cart/checkout/${order_id}`]) {
      const answer = await operator.post(path, cash)
      expect([answer.status, answer.json()['code']]).toEqual([403, 'own_order'])
    }
    expect((await operator.get('/api/cart')).json<Order>().status).toBe('Draft')
    const colleague = await registerAs(strict, 'Admin')
    const saleAnswer = await colleague.post(`/api/cart/checkout/${order_id}`, cash)
    expect(saleAnswer.json<Order>().status).toBe('Paid')
  })
})
