import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addJob } from '../../src/platform/jobs/jobs.ts'
import { newId } from '../support/ids.ts'
import { countWaiting } from '../support/in-line.ts'
import { type Buyer, buyer, type Order, type ShopService, shopService } from '../support/shop.ts'
import { waitUntil } from '../support/wait.ts'

const holdMs = 300_000
const urls = { success_url: 'https://shop.example.com/', cancel_url: 'https://shop.example.com/' }
let shop: ShopService
beforeAll(async () => {
  shop = await shopService()
})
afterAll(() => shop.close())

const dataOf = ({ payment_method_data: data }: Order) => ({
  intent: data?.payment_intent_id,
  session: data?.session_id,
  invoice: data?.invoice_id,
})
const away = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  await shop.closeProviders()
  try {
    return await work()
  } finally {
    await shop.openProviders()
  }
}
/** Runs the next reconciliation and its follow-up jobs. */
const reconcile = async () => {
  shop.clock.advance(60_000)
  await shop.run('payments.reconcile')
}
/** Ends the hold, then runs the next sweep and reconciliation. */
const pass = async () => {
  shop.clock.advance(holdMs)
  await shop.run('orders.sweep')
  await reconcile()
}
const attemptsOf = (order_id: string) =>
  shop.db
    .selectFrom('payment_attempts')
    .select(['id', 'status', 'reference', 'check_at'])
    .where('order_id', '=', order_id)
    .orderBy('created_at')
    .execute()

describe('during a provider outage', () => {
  it('a checkout that Stripe answered with 500 succeeds on retry', async () => {
    const request = { method: 'CardCheckout', ...urls }
    const person = await buyer(shop)
    await person.add(newId())
    await shop.atProvider('/failures')
    const failed = await person.post('/api/cart/checkout', request)
    expect([failed.status, failed.json()['code']]).toEqual([503, 'unavailable_payment_provider'])
    const order = (await person.post('/api/cart/checkout', request)).json<Order>()
    expect(order.payment_method_data).not.toBeNull()
    expect(await attemptsOf(order.id)).toHaveLength(1)
  })

  it('a checkout reports it and keeps the ids; the retry returns an intent, a session or an invoice', async () => {
    const requests = [
      { method: 'CardCheckout' },
      { method: 'CardCheckout', ...urls },
      { method: 'CryptoCommerce' },
    ]
    const people = await Promise.all(requests.map(() => buyer(shop)))
    const each = people.map((person, nth) => ({ person, request: requests[nth] }))
    for (const { person } of each) await person.add(newId())
    const answers = await away(() =>
      Promise.all(each.map(({ person, request }) => person.post('/api/cart/checkout', request))),
    )
    for (const answer of answers) {
      expect([answer.status, answer.json()['code']]).toEqual([503, 'unavailable_payment_provider'])
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    for (const { person, request } of each) {
      const waitingOrder = await person.cart()
      expect(waitingOrder).toMatchObject({ status: 'PendingPayment', payment_method_data: null })
      const order = (await person.post('/api/cart/checkout', request)).json<Order>()
      expect(order).toMatchObject({ id: waitingOrder.id, expires_at: waitingOrder.expires_at })
      expect(order.payment_method_data).not.toBeNull()
      expect(await attemptsOf(order.id)).toHaveLength(1)
    }
    // A payment that the retry requested counts.
    const buyerOfIntent = people[0] as Buyer
    const order = await buyerOfIntent.cart()
    await shop.pay(order)
    await buyerOfIntent.until(order.id, 'Paid')
  })

  it('a code counts, and the next checkout requests the new price', async () => {
    const person = await buyer(shop)
    const admin = await buyer(shop)
    await shop.db.updateTable('users').set({ role: 'Admin' }).where('id', '=', admin.id).execute()
    const redemption_code = `AWAY-${Date.now()}`
    await admin.post('/api/admin/codes', {
      name: 'Half',
      code_type: 'Discount',
      activator: 'RedemptionCode',
      redemption_code,
      discount_as_percentage: 50,
    })
    const order = await person.pending('CryptoCommerce')
    const promoResponse = await away(() =>
      person.post('/api/cart/promo_code', { code: redemption_code }),
    )
    expect(promoResponse.json()).toMatchObject({
      remaining_due_in_cents: 200,
      payment_method_data: null,
    })
    const cheaper = await person.checkout('CryptoCommerce')
    expect(cheaper).toMatchObject({ id: order.id, remaining_due_in_cents: 200 })
    expect(dataOf(cheaper)).not.toEqual(dataOf(order))
    await shop.pay(cheaper)
    expect(await person.until(order.id, 'Paid')).toMatchObject({ amount_overpaid_in_cents: 0 })
  })

  it('a hold expires, and its intent, session and invoice are ended later', async () => {
    const kinds = [
      { method: 'CardCheckout', more: {}, ended: 'canceled' },
      { method: 'CardCheckout', more: urls, ended: 'expired' },
      { method: 'CryptoCommerce', more: {}, ended: 'Invalid' },
    ]
    const each: { person: Buyer; id: string; ended: string; order: Order }[] = []
    for (const { method, more, ended } of kinds) {
      const [person, id] = [await buyer(shop), newId()]
      await person.add(id)
      each.push({ person, id, ended, order: await person.checkout(method, more) })
    }
    await away(async () => {
      shop.clock.advance(holdMs)
      for (const { person, order } of each) {
        expect(await person.cart()).toMatchObject({ id: order.id, status: 'Draft' })
      }
    })
    const other = await buyer(shop)
    const ids = each.map(({ id }) => id)
    expect((await other.pending('CardCheckout', ids)).status).toBe('PendingPayment')
    await reconcile()
    for (const { order, ended } of each) {
      const { intent, session, invoice } = dataOf(order)
      const status = async () => {
        const invoiceResponse = invoice
          ? shop.coins<{ status: string }>(`/stores/store/invoices/${invoice}`)
          : session
            ? shop.cards<{ status: string }>(`/checkout/sessions/${session}`)
            : shop.cards<{ status: string }>(`/payment_intents/${intent}`)
        return (await invoiceResponse).status
      }
      await expect.poll(status).toBe(ended)
    }
  })

  it('a page that was never created leaves the buyer a cart, and is not requested again', async () => {
    const person = await buyer(shop)
    await person.add(newId())
    await away(() => person.post('/api/cart/checkout', { method: 'CardCheckout', ...urls }))
    const { id } = await person.cart()
    // The provider returns an hour later, when it creates no page that expires so soon.
    const endedAt = new Date(Date.now() - 3_600_000)
    await shop.db
      .updateTable('payment_attempts')
      .set({ expires_at: endedAt })
      .where('order_id', '=', id)
      .execute()
    shop.clock.advance(holdMs)
    expect(await person.cart()).toMatchObject({ id, status: 'Draft' })
    await reconcile()
    expect(await attemptsOf(id)).toMatchObject([
      { status: 'closed', reference: null, check_at: null },
    ])
    expect((await person.checkout('CardCheckout', urls)).payment_method_data).not.toBeNull()
  })

  it('a checkout cannot be cancelled, since its payment could not be', async () => {
    const person = await buyer(shop)
    const order = await person.pending()
    const answers = await away(async () => [
      await person.post('/api/cart/convert_to_draft'),
      await person.delete('/api/cart'),
    ])
    expect(answers.map(({ status }) => status)).toEqual([503, 503])
    expect(await person.cart()).toMatchObject({ id: order.id, status: 'PendingPayment' })
    expect((await person.post('/api/cart/convert_to_draft')).status).toBe(200)
  })
})

describe('a missing webhook', () => {
  it('a missing webhook is replaced by the reconciliation a minute later, for cards and coins', async () => {
    const orders: { person: Buyer; id: string }[] = []
    for (const method of ['CardCheckout', 'CryptoCommerce']) {
      const person = await buyer(shop)
      const order = await person.pending(method)
      await shop.payUnheard(order)
      orders.push({ person, id: order.id })
    }
    await shop.run('payments.reconcile')
    for (const { person, id } of orders)
      expect((await person.order(id)).status).toBe('PendingPayment')
    await reconcile()
    for (const { person, id } of orders) {
      expect((await person.order(id)).status).toBe('Paid')
      expect(await shop.ledgerOf(id)).toHaveLength(1)
    }
  })

  it('a missing webhook is replaced even if the payment was checked while the checkout stored its reference', async () => {
    const person = await buyer(shop)
    const order = await person.pending()
    await shop.payUnheard(order)
    const { id, reference, check_at } = (await attemptsOf(order.id))[0] ?? {}
    const set = (trx: typeof shop.db, reference: string | null = null) =>
      trx
        .updateTable('payment_attempts')
        .set({ reference, check_at })
        .where('order_id', '=', order.id)
    await set(shop.db).execute()
    await shop.db.transaction().execute(async (trx) => {
      await set(trx, reference).execute()
      await addJob(shop.db, 'payments.check', { id })
      await waitUntil(
        async () => (await countWaiting(shop)) > 0 || 'No check waits for the checkout',
      )
    })
    await shop.settle()
    await reconcile()
    expect((await person.order(order.id)).status).toBe('Paid')
  })

  it('a missing webhook is replaced by the end of the hold, where the money counts in full', async () => {
    const person = await buyer(shop)
    const order = await person.pending()
    await shop.payUnheard(order)
    shop.clock.advance(holdMs)
    expect(await person.cart()).toMatchObject({ status: 'Draft', order_items: [] })
    expect(await person.order(order.id)).toMatchObject({ status: 'Paid' })
  })
})

it('a payment that the provider no longer knows does not lock the cart', async () => {
  const person = await buyer(shop)
  const order = await person.pending()
  await shop.db
    .updateTable('payment_attempts')
    .set({ sealed: null, reference: null, expires_at: new Date(0), ...urls })
    .where('order_id', '=', order.id)
    .execute()
  shop.clock.advance(holdMs)
  expect(await person.cart()).toMatchObject({ id: order.id, status: 'Draft' })
})

it('a payment whose provider id was lost before it was stored is discovered and ended at its expiry', async () => {
  const kinds = [
    { method: 'CardCheckout', more: {}, at: '/payment_intents' },
    { method: 'CardCheckout', more: urls, at: '/checkout/sessions' },
    { method: 'CryptoCommerce', more: {}, at: '/stores/store/invoices' },
  ]
  const payments: { person: Buyer; order: Order; at: string; reference: string | null }[] = []
  for (const { method, more, at } of kinds) {
    const person = await buyer(shop)
    await person.add(newId())
    const order = await person.checkout(method, more)
    const reference = (await attemptsOf(order.id))[0]?.reference ?? null
    expect(reference).not.toBeNull()
    // The state after a kill between the provider's response and our write.
    await shop.db
      .updateTable('payment_attempts')
      .set({ sealed: null, reference: null, check_at: null })
      .where('order_id', '=', order.id)
      .execute()
    payments.push({ person, order, at, reference })
  }
  await pass()
  for (const { person, order, at, reference } of payments) {
    await person.until(order.id, 'Draft')
    expect(await attemptsOf(order.id)).toMatchObject([{ status: 'closed', reference }])
    const ask = at.startsWith('/stores') ? shop.coins : shop.cards
    const status = async () => (await ask<{ status: string }>(`${at}/${reference}`)).status
    await expect.poll(status).toMatch(/^(?:canceled|expired|Expired|Invalid)$/)
  }
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
