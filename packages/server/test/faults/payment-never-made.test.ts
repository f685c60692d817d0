import { afterAll, describe, expect, it } from 'vitest'
import { newId } from '../support/ids.ts'
import { buyer, type Order, shopService } from '../support/shop.ts'

const holdMs = 300_000
const urls = {
  success_url: 'https://shop.example.com/thanks',
  cancel_url: 'https://shop.example.com/',
}
const shop = await shopService()
afterAll(() => shop.close())

const attemptOf = (order_id: string) =>
  shop.db
    .selectFrom('payment_attempts')
    .select(['status', 'reference', 'check_at'])
    .where('order_id', '=', order_id)
    .executeTakeFirstOrThrow()
/** Ends the hold, then runs the next sweep and reconciliation. */
const pass = async () => {
  shop.clock.advance(holdMs)
  await shop.run('orders.sweep')
  shop.clock.advance(60_000)
  await shop.run('payments.reconcile')
}

describe('a payment that did not reach the provider before it expired', () => {
  /** A checkout that never reached the provider, which is available again. */
  const checkoutUnheard = async () => {
    const person = await buyer(shop)
    const cart = await person.add(newId())
    await shop.closeProviders()
    const answer = await person.post('/api/cart/checkout', { method: 'CardCheckout', ...urls })
    expect([answer.status, answer.json()['code']]).toEqual([503, 'unavailable_payment_provider'])
    await shop.openProviders()
    return { person, cart }
  }

  it('leaves the buyer a cart', async () => {
    const { person } = await checkoutUnheard()
    shop.clock.advance(holdMs)
    const answer = await person.get('/api/cart')
    expect([answer.status, answer.json<Order>().status]).toEqual([200, 'Draft'])
    expect((await person.checkout('CardCheckout', urls)).status).toBe('PendingPayment')
  })

  it('is not requested repeatedly', async () => {
    const { person, cart } = await checkoutUnheard()
    await pass()
    await person.until(cart.id, 'Draft')
    expect(await attemptOf(cart.id)).toMatchObject({ status: 'closed', check_at: null })
  })
})

describe('a payment whose provider id was lost before it was stored', () => {
  it.each([
    ['an intent', 'CardCheckout', {}],
    ['a session', 'CardCheckout', urls],
    ['an invoice', 'CryptoCommerce', {}],
  ])('is discovered and ended at its expiry: %s', async (_name, method, more) => {
    const person = await buyer(shop)
    await person.add(newId())
    const order = await person.checkout(method, more)
    const { reference } = await attemptOf(order.id)
    // As after a kill between the provider's response and our write.
    await shop.db
      .updateTable('payment_attempts')
      .set({ sealed: null, reference: null, check_at: null })
      .where('order_id', '=', order.id)
      .execute()
    await pass()
    await person.until(order.id, 'Draft')
    expect(await attemptOf(order.id)).toMatchObject({ status: 'closed', reference })
    const status = async () => {
      const path = reference?.startsWith('cs_') ? 'checkout/sessions' : 'payment_intents'
      const paymentResponse =
        method === 'CryptoCommerce'
          ? shop.coins<{ status: string }>(`/stores/store/invoices/${reference}`)
          : shop.cards<{ status: string }>(`/${path}/${reference}`)
      return (await paymentResponse).status
    }
    await expect.poll(status).toMatch(/^(?:canceled|expired|Expired|Invalid)$/)
  })
})

it('a provider that rejects the request does not lock the buyer’s cart', async () => {
  const person = await buyer(shop)
  const order = await person.pending('CardCheckout')
  // For the provider this is a different request with the same idempotency key.
  await shop.db
    .updateTable('payment_attempts')
    .set({ sealed: null, reference: null, amount_in_cents: order.total_in_cents + 1 })
    .where('order_id', '=', order.id)
    .execute()
  shop.clock.advance(holdMs)
  const answer = await person.get('/api/cart')
  expect([answer.status, answer.json<Order>().status]).toEqual([200, 'Draft'])
})
