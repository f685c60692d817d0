import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../support/ids.ts'
import { buyer, type Order, shopService } from '../support/shop.ts'

const holdSeconds = 2
const urls = {
  success_url: 'https://shop.example.com/thanks',
  cancel_url: 'https://shop.example.com/',
}
const shop = await shopService({ CART_TTL_SECONDS: String(holdSeconds) })
afterAll(() => shop.close())

const attemptOf = (order_id: string) =>
  shop.db
    .selectFrom('payment_attempts')
    .select(['status', 'reference', 'check_at'])
    .where('order_id', '=', order_id)
    .executeTakeFirstOrThrow()

describe('a payment that the provider did not hear of before its time was over', () => {
  let person: Awaited<ReturnType<typeof buyer>>
  let cart: Order
  beforeEach(async () => {
    person = await buyer(shop)
    cart = await person.add(newId())
    await shop.closeProviders()
    const answer = await person.post('/api/cart/checkout', { method: 'CardCheckout', ...urls })
    expect([answer.status, answer.json()['code']]).toEqual([503, 'payment_provider_away'])
    await sleep(holdSeconds * 1_000)
    await shop.openProviders()
  })

  it('leaves the buyer a cart', async () => {
    const answer = await person.get('/api/cart')
    expect([answer.status, answer.json<Order>().status]).toEqual([200, 'Draft'])
    expect((await person.checkout('CardCheckout', urls)).status).toBe('PendingPayment')
  })

  it('is not asked for again and again', async () => {
    await person.until(cart.id, 'Draft')
    await expect
      .poll(() => attemptOf(cart.id), { timeout: 15_000 })
      .toEqual({ status: 'closed', reference: null, check_at: null })
  })
})

it('a provider that refuses what it is asked keeps no cart from its buyer', async () => {
  const person = await buyer(shop)
  const order = await person.pending('CardCheckout')
  // To the provider this is another request under the name of the first.
  await shop.db
    .updateTable('payment_attempts')
    .set({ sealed: null, reference: null, amount_in_cents: order.total_in_cents + 1 })
    .where('order_id', '=', order.id)
    .execute()
  await sleep(holdSeconds * 1_000)
  const answer = await person.get('/api/cart')
  expect([answer.status, answer.json<Order>().status]).toEqual([200, 'Draft'])
})
