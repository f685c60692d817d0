import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeCode, redemptionCode } from '../../../../test/support/codes.ts'
import { newId } from '../../../../test/support/ids.ts'
import { goodPassword, logIn, type Person, registerAs } from '../../../../test/support/people.ts'
import { buyer, type Order, type ShopService, shopService } from '../../../../test/support/shop.ts'
import { stopTheClock } from '../../../../test/support/stopped-clock.ts'

const holdMs = 300_000
const urls = { success_url: 'https://shop.example.com/', cancel_url: 'https://shop.example.com/' }
type Intent = { status: string }
type Refunds = { data: { amount: number }[] }

let shop: ShopService
let admin: Person
beforeAll(async () => {
  shop = await shopService()
  admin = await registerAs(shop, 'Admin')
})
afterAll(() => shop.close())
/** A discount code; by default half the price, once. */
const code = async (terms: object = {}) => {
  const operator = await logIn(shop, admin)
  const newCode = await makeCode(operator, redemptionCode({ discount_as_percentage: 50, ...terms }))
  return newCode.redemption_code ?? ''
}
const intentOf = ({ payment_method_data: data }: Order) => data?.payment_intent_id ?? ''
const invoiceOf = ({ payment_method_data: data }: Order) => data?.invoice_id ?? ''
const secondsLeft = ({ expires_at }: Order) =>
  (new Date(expires_at ?? 0).getTime() - shop.clock.now().getTime()) / 1_000
/** The order once its ledger has so many entries. */
const booked = async (person: { order(id: string): Promise<Order> }, id: string, count = 1) => {
  await expect.poll(async () => (await shop.ledgerOf(id)).length).toBe(count)
  return person.order(id)
}

/** Waits until this much of an overpayment is refunded. */
const expectSent = (id: string, cents: number) => expect.poll(() => shop.miscSentOf(id)).toBe(cents)

describe('a checkout that is not paid in time (T89)', () => {
  it('releases its ids and its code immediately, and becomes a cart without discounts', async () => {
    const [person, other] = [await buyer(shop), await buyer(shop)]
    const ids = [newId(), newId()]
    await person.add(...ids)
    await person.checkout('CardCheckout')
    const once = await code({ max_uses: 1 })
    const order = await person.promo(once)
    expect(order.order_items).toHaveLength(4)
    const cart = await other.pending()
    const earlyAnswer = await other.post('/api/cart/promo_code', { code: once })
    expect([earlyAnswer.status, earlyAnswer.json()['code']]).toEqual([422, 'invalid_code'])
    await other.post('/api/cart/convert_to_draft')
    shop.clock.advance(holdMs)
    await other.add(ids[0] ?? '')
    await other.checkout('CardCheckout')
    await shop.run('orders.sweep')
    const others = await other.promo(once)
    expect(others).toMatchObject({ id: cart.id, status: 'PendingPayment', total_in_cents: 400 })

    const draft = await person.cart()
    expect(draft).toMatchObject({
      id: order.id,
      status: 'Draft',
      expires_at: null,
      seconds_until_expiry: null,
      payment_method_data: null,
      total_in_cents: 800,
    })
    expect(draft.order_items.map(({ emoji_id }) => emoji_id)).toEqual(ids)
    const refusal = await person.post('/api/cart/checkout', { method: 'CardCheckout' })
    expect([refusal.status, refusal.json()['code']]).toEqual([422, 'pending_purchase'])
  })

  it('can be checked out again while the ids are available', async () => {
    stopTheClock()
    const person = await buyer(shop)
    const order = await person.pending()
    shop.clock.advance(holdMs)
    const secondOrder = await person.checkout('CardCheckout')
    expect(secondOrder).toMatchObject({ id: order.id, status: 'PendingPayment' })
    expect(secondsLeft(secondOrder)).toBeGreaterThan(290)
    expect(intentOf(secondOrder)).not.toBe(intentOf(order))
    expect(await shop.cards<Intent>(`/payment_intents/${intentOf(order)}`)).toMatchObject({
      status: 'canceled',
    })
  })

  it('a checkout that is not paid in time is ended by a job when its hold expires (T89)', async () => {
    const person = await buyer(shop)
    const order = await person.pending('CryptoCommerce')
    const find = sql<{ id: string; run_at: Date }>`
      select id, run_at from graphile_worker.jobs where key = ${`orders.lapse:${order.id}`}`
    const [job] = (await find.execute(shop.db)).rows
    expect(job?.run_at.toISOString()).toBe(order.expires_at)
    shop.clock.advance(holdMs)
    // Jobs use the clock of the database, which no test can move.
    await sql`
      select graphile_worker.reschedule_jobs(array[${job?.id}::bigint], run_at := now())`.execute(
      shop.db,
    )
    expect(await person.until(order.id, 'Draft')).toMatchObject({ expires_at: null })
    const invoice = await shop.coins(`/stores/store/invoices/${invoiceOf(order)}`)
    expect(invoice).toMatchObject({ status: 'Invalid', additionalStatus: 'Marked' })
  })
})

describe('cryptocurrency', () => {
  it('cryptocurrency in parts leaves the rest due, also to a card, does not extend the hold, and grants once it is enough', async () => {
    const person = await buyer(shop)
    const order = await person.pending('CryptoCommerce')
    await shop.pay(order, { percent: 60 })
    const part = await booked(person, order.id)
    expect(part).toMatchObject({ status: 'PendingPayment', remaining_due_in_cents: 160 })
    expect(secondsLeft(part)).toBeLessThan(301)
    expect([order.payment_under_way, part.payment_under_way]).toEqual([false, true])
    const [before, now] = [order, part].map(
      ({ payment_method_data }) => payment_method_data?.methods[1]?.amount ?? 0,
    ) as [number, number]
    expect(now / before).toBeCloseTo(0.4, 2)
    const refusal = await person.post('/api/cart/convert_to_draft')
    expect([refusal.status, refusal.json()['code']]).toEqual([422, 'pending_payment'])

    const rest = await person.checkout('CardCheckout')
    expect(rest).toMatchObject({ id: order.id, remaining_due_in_cents: 160 })
    await shop.pay(rest)
    const paidOrder = await person.until(order.id, 'Paid')
    expect(paidOrder).toMatchObject({
      remaining_due_in_cents: 0,
      amount_overpaid_in_cents: 0,
      payment_under_way: false,
    })
    const entries = await shop.ledgerOf(order.id)
    expect(entries.map(({ amount_in_cents }) => amount_in_cents)).toEqual([240, 160])
  })

  it('short by more than 1 % is not enough; a second on-chain payment is counted without its fee', async () => {
    const person = await buyer(shop)
    const order = await person.pending('CryptoCommerce')
    await shop.pay(order, { percent: 98.8 })
    expect(await booked(person, order.id)).toMatchObject({
      status: 'PendingPayment',
      remaining_due_in_cents: 5,
    })
    await shop.pay(order)
    const paidOrder = await person.until(order.id, 'Paid')
    expect(paidOrder).toMatchObject({
      amount_overpaid_in_cents: 0,
      misc_refunded_total_in_cents: 0,
    })
    const entries = await shop.ledgerOf(order.id)
    expect(entries.map(({ kind }) => kind)).not.toContain('misc_refund')
  })

  it('short by 1 % is enough, regardless of rounding, and the books record the write-off', async () => {
    const person = await buyer(shop)
    await person.pending('CryptoCommerce')
    const order = await person.promo(
      await code({ discount_as_percentage: undefined, discount_in_cents: 1 }),
    )
    await shop.pay(order, { percent: 99.03 })
    expect(await shop.coins(`/stores/store/invoices/${invoiceOf(order)}`)).toMatchObject({
      status: 'Settled',
    })
    const paidOrder = await person.until(order.id, 'Paid')
    expect(paidOrder).toMatchObject({ remaining_due_in_cents: 0, amount_overpaid_in_cents: 0 })
    expect(await shop.ledgerOf(order.id)).toMatchObject([
      { kind: 'payment', amount_in_cents: 395 },
      { kind: 'write_off', amount_in_cents: 4 },
    ])
  })

  it('beyond the price is refunded by an emailed link, and the order shows it', async () => {
    const person = await buyer(shop)
    const order = await person.pending('CryptoCommerce')
    await shop.pay(order, { percent: 150 })
    const paidOrder = await person.until(order.id, 'Paid')
    expect(paidOrder).toMatchObject({
      total_in_cents: 400,
      remaining_due_in_cents: 0,
      refunded_total_in_cents: 0,
      amount_overpaid_in_cents: 200,
    })
    await expectSent(order.id, 200)
    const mail = await shop.mailAbout(person.email, 'Your refund')
    expect(mail.text).toContain('$2.00')
    const [claim] = new RegExp(`${shop.sandboxUrl}/claim/\\w+`).exec(mail.text ?? '') ?? []
    expect(await shop.coins(`/pull-payments/${claim?.split('/').at(-1)}`)).toMatchObject({
      amount: '0.00002051',
      currency: 'BTC',
    })
  })

  it('that was seen extends the hold by a day, and grants the ids once it is confirmed', async () => {
    const [person, other] = [await buyer(shop), await buyer(shop)]
    const id = newId()
    const order = await person.pending('CryptoCommerce', [id])
    await shop.pay(order, { confirmed: false })
    const extended = async () => secondsLeft(await person.order(order.id))
    await expect.poll(extended).toBeGreaterThan(86_000)
    const seenOrder = await person.order(order.id)
    expect(seenOrder).toMatchObject({ status: 'PendingPayment', remaining_due_in_cents: 400 })
    expect(await shop.ledgerOf(order.id)).toEqual([])

    shop.clock.advance(2 * holdMs)
    await shop.run('orders.sweep')
    await other.add(id)
    const refusal = await other.post('/api/cart/checkout', { method: 'CardCheckout' })
    expect([refusal.status, refusal.json()['code']]).toEqual([422, 'pending_purchase'])
    await shop.atProvider(`/invoices/${invoiceOf(order)}/confirm`)
    await person.until(order.id, 'Paid')
    expect(await shop.ownerOf(id)).toBe(person.id)
  })

  it('cryptocurrency for an expired invoice counts while the ids are held, also after a new invoice', async () => {
    const person = await buyer(shop)
    const order = await person.pending('CryptoCommerce')
    await shop.atProvider(`/invoices/${invoiceOf(order)}/expire`)
    await shop.waitForEvents(order.id, 2)
    const secondOrder = await person.checkout('CryptoCommerce')
    expect(secondOrder).toMatchObject({ id: order.id, expires_at: order.expires_at })
    expect(invoiceOf(secondOrder)).not.toBe(invoiceOf(order))
    // The buyer pays the expired one all the same.
    await shop.pay(order)
    expect(await person.until(order.id, 'Paid')).toMatchObject({ amount_overpaid_in_cents: 0 })
  })
})

describe('a card', () => {
  it('that is declined leaves the payment open for another card', async () => {
    const person = await buyer(shop)
    const order = await person.pending()
    await shop.atProvider(`/intents/${intentOf(order)}/decline`)
    // The payment began, its charge failed, then the payment failed.
    await shop.waitForEvents(order.id, 3)
    const declinedOrder = await person.order(order.id)
    expect(declinedOrder).toMatchObject({
      status: 'PendingPayment',
      expires_at: order.expires_at,
      remaining_due_in_cents: 400,
      payment_method_data: order.payment_method_data,
    })
    await shop.pay(order)
    await person.until(order.id, 'Paid')
    expect(await shop.ledgerOf(order.id)).toHaveLength(1)
  })

  it('whose pending money never arrived lets the buyer pay in another session', async () => {
    const person = await buyer(shop)
    await person.add(newId())
    const order = await person.checkout('CardCheckout', urls)
    const session = order.payment_method_data?.session_id
    const answer = await shop.atProvider(`/sessions/${session}/pay`, { outcome: 'processing' })
    const { payment_intent } = (await answer.json()) as { payment_intent: string }
    await shop.atProvider(`/intents/${payment_intent}/fail`)
    await expect.poll(async () => (await person.order(order.id)).payment_method_data).toBeNull()
    const secondOrder = await person.checkout('CardCheckout', urls)
    expect(secondOrder).toMatchObject({ id: order.id, status: 'PendingPayment' })
    expect(secondOrder.payment_method_data?.session_id).not.toBe(session)
  })
})

describe('a hold with a pending payment', () => {
  /** Longer than a hold without money. */
  const tenMinutesLater = async () => {
    shop.clock.advance(10 * 60_000)
    await shop.run('payments.reconcile')
  }

  it('lasts a day, regardless of an earlier attempt, and cannot be abandoned until the money failed', async () => {
    const person = await buyer(shop)
    await person.pending('CryptoCommerce')
    const order = await person.checkout('CardCheckout')
    await shop.pay(order, { outcome: 'processing' })
    const readSecondsLeft = async () => secondsLeft(await person.order(order.id))
    await expect.poll(readSecondsLeft).toBeGreaterThan(86_000)
    for (const answer of [
      await person.post('/api/cart/convert_to_draft'),
      await person.delete('/api/cart'),
    ]) {
      expect([answer.status, answer.json()['code']]).toEqual([422, 'pending_payment'])
    }
    await tenMinutesLater()
    expect(await readSecondsLeft()).toBeGreaterThan(80_000)
    await shop.atProvider(`/intents/${intentOf(order)}/fail`)
    await expect.poll(async () => (await person.cart()).status).toBe('Draft')
  })

  it('can be abandoned before its end once the money failed', async () => {
    const person = await buyer(shop)
    const order = await person.pending('CardCheckout')
    await shop.pay(order, { outcome: 'processing' })
    const isUnderWay = async () => (await person.order(order.id)).payment_under_way
    await expect.poll(isUnderWay).toBe(true)
    await shop.atProvider(`/intents/${intentOf(order)}/fail`)
    await expect.poll(isUnderWay).toBe(false)
    const cart = await person.post('/api/cart/convert_to_draft')
    expect([cart.status, cart.json()['status']]).toEqual([200, 'Draft'])
  })

  it('a hold with a pending payment also lasts with a little cash', async () => {
    const [person, operator] = [await buyer(shop), await logIn(shop, admin)]
    const order = await person.pending()
    const cash = { method: 'Cash', amount: 1, external_reference: `till ${order.id}` }
    await operator.post(`/api/cart/checkout/${order.id}`, cash)
    await tenMinutesLater()
    expect(secondsLeft(await person.order(order.id))).toBeGreaterThan(80_000)
  })
})

describe('late money with a code', () => {
  it('takes a use of the code, but none that other orders have (T87)', async () => {
    const limited = await code({ max_uses: 1 })
    const lateWith = async () => {
      const person = await buyer(shop)
      const askedOrder = await person.pending('CryptoCommerce')
      const cheaper = await person.promo(limited)
      await person.post('/api/cart/convert_to_draft')
      return { person, asked: askedOrder, cheaper }
    }
    const [first, second] = [await lateWith(), await lateWith()]
    await shop.pay(first.cheaper)
    await expect.poll(async () => (await first.person.orders('status=Paid')).length).toBe(1)
    await shop.pay(second.cheaper)
    await expect.poll(async () => (await second.person.orders('status=Cancelled')).length).toBe(1)
    const [cancelledOrder] = await second.person.orders('status=Cancelled')
    expect(cancelledOrder).toMatchObject({ refunded_total_in_cents: 200 })
    expect(await first.person.orders('status=Paid')).toMatchObject([{ total_in_cents: 200 }])
  })
})

describe('an order that is paid twice', () => {
  it('by two methods is granted once, and the second payment is refunded', async () => {
    const person = await buyer(shop)
    const first = await person.pending('CryptoCommerce')
    const second = await person.checkout('CardCheckout')
    await shop.pay(second)
    await person.until(first.id, 'Paid')
    await shop.pay(first)
    const order = await booked(person, first.id, 3)
    expect(order).toMatchObject({
      status: 'Paid',
      total_in_cents: 400,
      amount_overpaid_in_cents: 400,
      refunded_total_in_cents: 0,
    })
    await expectSent(first.id, 400)
    const mail = await shop.mailAbout(person.email, 'Your refund')
    expect(mail.text).toContain(`${shop.sandboxUrl}/claim/`)
    expect(await shop.cards<Refunds>(`/refunds?payment_intent=${intentOf(second)}`)).toMatchObject({
      data: [],
    })
    expect(await person.orders()).toHaveLength(1)
  })

  it('in a session that a code had replaced gets the difference refunded', async () => {
    const person = await buyer(shop)
    await person.add(newId())
    const first = await person.checkout('CardCheckout', urls)
    const half = await code()
    await shop.payUnheard(first)
    await person.promo(half)
    const order = await person.until(first.id, 'Paid')
    expect(order).toMatchObject({
      total_in_cents: 200,
      amount_overpaid_in_cents: 200,
    })
    await expectSent(first.id, 200)
    await shop.settle()
    const session = await shop.cards<{ payment_intent: string }>(
      `/checkout/sessions/${first.payment_method_data?.session_id}`,
    )
    const refunds = `/refunds?payment_intent=${session.payment_intent}`
    expect((await shop.cards<Refunds>(refunds)).data).toMatchObject([{ amount: 200 }])
    expect(await shop.mailAbout(person.email, 'Your refund')).toBeDefined()
  })
})

describe('a code', () => {
  it('that leaves less than 1 % due after coins buys the order, also with a card chosen since', async () => {
    const person = await buyer(shop)
    const order = await person.pending('CryptoCommerce')
    await shop.pay(order, { percent: 49.75 })
    expect(await booked(person, order.id)).toMatchObject({ remaining_due_in_cents: 202 })
    await person.checkout('CardCheckout')
    expect(await person.promo(await code())).toMatchObject({
      status: 'Paid',
      total_in_cents: 200,
      remaining_due_in_cents: 0,
    })
    expect(await shop.ledgerOf(order.id)).toMatchObject([
      { kind: 'payment', amount_in_cents: 198 },
      { kind: 'write_off', amount_in_cents: 2 },
    ])
  })

  it('that lowers the price below the card minimum requires another payment method', async () => {
    const person = await buyer(shop)
    const order = await person.pending()
    const cheaper = await person.promo(
      await code({ discount_as_percentage: undefined, discount_in_cents: 370 }),
    )
    expect(cheaper).toMatchObject({ remaining_due_in_cents: 30, payment_method_data: null })
    const refusal = await person.post('/api/cart/checkout', { method: 'CardCheckout' })
    expect([refusal.status, refusal.json()['code']]).toEqual([422, 'unpayable_amount'])
    await shop.settle()
    expect(await shop.cards<Intent>(`/payment_intents/${intentOf(order)}`)).toMatchObject({
      status: 'canceled',
    })
    expect(await person.checkout('CryptoCommerce')).toMatchObject({ remaining_due_in_cents: 30 })
  })

  it('that lowers the price below the paid amount refunds the rest', async () => {
    const person = await buyer(shop)
    const order = await person.pending('CryptoCommerce')
    await shop.pay(order, { percent: 60 })
    await booked(person, order.id)
    expect(await person.promo(await code())).toMatchObject({
      remaining_due_in_cents: 0,
      status: 'Paid',
      total_in_cents: 200,
      amount_overpaid_in_cents: 40,
    })
    await expectSent(order.id, 40)
  })
})

it('a partial payment that lapses is refunded, and the ids become available', async () => {
  const person = await buyer(shop, { password: goodPassword })
  const id = newId()
  const order = await person.pending('CryptoCommerce', [id])
  await shop.pay(order, { percent: 50 })
  await booked(person, order.id)
  shop.clock.advance(holdMs)
  await shop.run('orders.sweep')
  const later = { ...person, ...(await logIn(shop, person)) }
  const cancelledOrder = (await later.get(`/api/orders/${order.id}`)).json<Order>()
  expect(cancelledOrder).toMatchObject({
    status: 'Cancelled',
    remaining_due_in_cents: 0,
    refunded_total_in_cents: 200,
    expires_at: null,
    payment_method_data: null,
    eligible_for_refund: false,
  })
  expect((await shop.mailAbout(person.email, 'was cancelled')).text).toContain('$2.00')
  const mail = await shop.mailAbout(person.email, 'Your refund')
  expect(mail.text).toContain(`${shop.sandboxUrl}/claim/`)
  const cart = (await later.get('/api/cart')).json<Order>()
  expect(cart).toMatchObject({ status: 'Draft', order_items: [] })
  const search = await shop.get(`/api/emoji_id/search?emoji_id=${encodeURIComponent(id)}`)
  expect(search.json()['result']).toMatchObject({ availability: 'Available' })
})
