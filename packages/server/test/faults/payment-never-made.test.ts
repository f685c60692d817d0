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
    // As if it were not that short a time ago that somebody may still be at it.
    await shop.db
      .updateTable('payment_attempts')
      .set({ created_at: new Date(Date.now() - 60_000) })
      .where('order_id', '=', cart.id)
      .execute()
    await sleep(holdSeconds * 1_000)
    await shop.openProviders()
  })

  it('leaves the buyer a cart', async () => {
    const answer = await person.get('/api/cart')
    expect([answer.status, answer.json<Order>().status]).toEqual([200, 'Draft'])
    expect((await person.checkout('CardCheckout', urls)).status).toBe('PendingPayment')
  })

  it('is not asked for again and again', { timeout: 40_000 }, async () => {
    await person.until(cart.id, 'Draft')
    await expect
      .poll(() => attemptOf(cart.id), { timeout: 30_000 })
      .toMatchObject({ status: 'closed', check_at: null })
  })
})

describe('a payment whose name was lost before it was kept', () => {
  it.each([
    ['an intent', 'CardCheckout', {}],
    ['a session', 'CardCheckout', urls],
    ['an invoice', 'CryptoCommerce', {}],
  ])('is found and ended with its time: %s', async (_name, method, more) => {
    const person = await buyer(shop)
    await person.add(newId())
    const order = await person.checkout(method, more)
    const { reference } = await attemptOf(order.id)
    // As after a kill between the answer of the provider and our note of it.
    await shop.db
      .updateTable('payment_attempts')
      .set({ sealed: null, reference: null, check_at: null })
      .where('order_id', '=', order.id)
      .execute()
    await person.until(order.id, 'Draft')
    await expect
      .poll(() => attemptOf(order.id), { timeout: 15_000 })
      .toMatchObject({ status: 'closed', reference })
    const status = async () => {
      const path = reference?.startsWith('cs_') ? 'checkout/sessions' : 'payment_intents'
      const found =
        method === 'CryptoCommerce'
          ? shop.coins<{ status: string }>(`/invoices/${reference}`)
          : shop.cards<{ status: string }>(`/${path}/${reference}`)
      return (await found).status
    }
    await expect.poll(status, { timeout: 15_000 }).toMatch(/^(?:canceled|expired|Expired|Invalid)$/)
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
