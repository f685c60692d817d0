import { createHmac, randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { daySeconds } from '../../src/platform/time.ts'
import { newId } from '../support/ids.ts'
import { sharedShop } from '../support/shared-service.ts'
import { type Buyer, buyer, type Order } from '../support/shop.ts'

const shop = await sharedShop()
// Only these tests send events.
await shop.atProvider('/webhooks', { off: true })
afterAll(() => shop.atProvider('/webhooks', { off: false }))

type Provider = 'card' | 'crypto'
type RawPart = string | Uint8Array<ArrayBuffer>
const hmac = (secret: string, ...parts: RawPart[]): string =>
  parts.reduce((sum, part) => sum.update(part), createHmac('sha256', secret)).digest('hex')
const ago = (seconds: number): number => Math.floor(Date.now() / 1_000) - seconds
/** Signed as each provider signs. */
const signatures = {
  card: (body: RawPart, secret = shop.secrets.card, at = ago(0)) => ({
    'stripe-signature': `t=${at},v1=${hmac(secret, `${at}.`, body)}`,
  }),
  crypto: (body: RawPart, secret = shop.secrets.crypto) => ({
    'btcpay-sig': `sha256=${hmac(secret, body)}`,
  }),
}
const send = (provider: string, raw: RawPart, headers: Record<string, string> = {}) =>
  shop.call('POST', `/api/webhooks/${provider}`, {
    raw,
    headers: { 'content-type': 'application/json', ...headers },
  })
const sendSigned = (provider: Provider, raw: RawPart) =>
  send(provider, raw, signatures[provider](raw))

const methods = { card: 'CardCheckout', crypto: 'CryptoCommerce' } as const
/** Deliveries of the provider for coins by name, which never change. */
const knownDeliveries = new Map<string, string>()
/** The provider's events about an order, oldest first. */
async function eventsOf(order: Order): Promise<string[]> {
  const { payment_intent_id: intent, invoice_id } = order.payment_method_data ?? {}
  const words = invoice_id ?? intent ?? ''
  const texts = async (): Promise<string[]> => {
    if (!invoice_id) {
      const { data } = await shop.cards<{ data: object[] }>('/events?limit=40')
      return data.map((event) => JSON.stringify(event, null, 2))
    }
    const path = '/stores/store/webhooks/sandbox/deliveries'
    const deliveries = await shop.coins<{ id: string }[]>(`${path}?count=40`)
    return Promise.all(
      deliveries.map(async ({ id }) => {
        const text =
          knownDeliveries.get(id) ?? JSON.stringify(await shop.coins(`${path}/${id}/request`))
        knownDeliveries.set(id, text)
        return text
      }),
    )
  }
  return (await texts()).filter((text) => text.includes(words)).reverse()
}
/** A paid order, and the event that reports it. */
async function paidUnheard(provider: Provider, body: object = {}) {
  const person = await buyer(shop)
  const id = newId()
  const order = await person.pending(methods[provider], [id])
  await shop.pay(order, body)
  const events = await eventsOf(order)
  return { person, id, order, events, event: events.at(-1) ?? '' }
}
const attemptOf = ({ id }: Order) =>
  shop.db
    .selectFrom('payment_attempts')
    .select('id')
    .where('order_id', '=', id)
    .executeTakeFirstOrThrow()
async function expectUnpaid(person: Buyer, { id }: Order): Promise<void> {
  await shop.settle()
  expect((await person.order(id)).status).toBe('PendingPayment')
  expect(await shop.ledgerOf(id)).toEqual([])
}
async function expectPaidOnce(person: Buyer, { id: order_id }: Order, id: string): Promise<void> {
  await person.until(order_id, 'Paid')
  await shop.settle()
  expect(await shop.ledgerOf(order_id)).toMatchObject([{ kind: 'payment', amount_in_cents: 400 }])
  expect(await shop.ownerOf(id)).toBe(person.id)
  expect(await person.orders()).toHaveLength(1)
  const subjects = shop.mailsTo(person.email).map(({ subject }) => subject ?? '')
  expect(subjects.filter((subject) => subject.includes('receipt'))).toHaveLength(1)
}

const senseless = [
  '',
  ' ',
  'null',
  'true',
  '0',
  '"text"',
  '[]',
  '{',
  '{}',
  '[[[[',
  '{"id":null}',
  '{"id":1,"originalDeliveryId":1}',
  '{"id":"evt_1"}',
  '{"id":"evt_1","data":null}',
  '{"id":"evt_1","data":{"object":null}}',
  '{"id":"evt_1","data":{"object":"x"}}',
  '{"id":"a\\u0000b","originalDeliveryId":"a\\u0000b","data":{"object":{}}}',
  '{"id":{},"originalDeliveryId":{},"data":{"object":{"object":"charge"}}}',
  '{"id":"evt_2","data":{"object":{"object":"payment_intent","id":{},"metadata":{"attempt_id":5}}}}',
  '{"id":"evt_3","data":{"object":{"object":"refund","payment_intent":[],"metadata":"x"}}}',
  '{"originalDeliveryId":"d1","invoiceId":{},"metadata":[{"orderId":1}]}',
  '{"originalDeliveryId":"d2","invoiceId":"\\u0000","metadata":{"orderId":"\\u0000"}}',
  `{"originalDeliveryId":"${'d'.repeat(5_000)}","id":"${'e'.repeat(5_000)}"}`,
  `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
]

describe.each(['card', 'crypto'] as const)('an event of the %s provider (T90)', (provider) => {
  const other = provider === 'card' ? 'crypto' : 'card'
  const header = provider === 'card' ? 'stripe-signature' : 'btcpay-sig'

  it('has no effect unless the provider signed these exact bytes about money of this attempt', async () => {
    const { person, order, event } = await paidUnheard(provider)
    const sign = signatures[provider]
    const [good = ''] = Object.values(sign(event))
    const refusedCalls: [RawPart, Record<string, string>][] = [
      [event, {}],
      [event, { [header]: '' }],
      [event, { [header]: 'x' }],
      [event, { [header]: good.slice(0, -1) }],
      [event, { [header]: good.toUpperCase() }],
      [event, { [header]: `${good}0` }],
      [event, sign(`${event} `)],
      [event, sign(event, shop.secrets[other])],
      [event, sign(event, '')],
      [event, signatures[other](event)],
      [event, { [header]: Object.values(signatures[other](event))[0] ?? '' }],
      [`${event} `, sign(event)],
      [event.replace(/\d/, (digit) => String((Number(digit) + 1) % 10)), sign(event)],
      [event.replace('"id"', '"ID"').replace('"type"', '"Type"'), sign(event)],
    ]
    for (const [raw, headers] of refusedCalls) {
      const answer = await send(provider, raw, headers)
      expect([answer.status, answer.json()['code']]).toEqual([400, 'invalid_signature'])
    }
    const attempt = (await attemptOf(order)).id
    const reference =
      order.payment_method_data?.invoice_id ?? order.payment_method_data?.payment_intent_id
    const unknown = event.replaceAll(reference ?? '', 'unknown')
    for (const name of [randomUUID(), '1234', '', 'x'.repeat(300), "' or 1=1 --", 'a\\u0000b']) {
      const about = unknown.replaceAll(attempt, name)
      expect(about).not.toContain(attempt)
      expect((await sendSigned(provider, eventName(about))).status).toBe(200)
    }
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'x']) {
      const headers = { ...sign(event), 'content-type': type }
      expect((await send(provider, event, headers)).status).toBe(400)
    }
    const large = `${event}${' '.repeat(2 * 1024 * 1024)}`
    expect((await sendSigned(provider, large)).status).toBe(413)
    const otherPerson = await buyer(shop)
    const otherOrder = await otherPerson.pending(methods[provider])
    const forged = event.replaceAll(attempt, (await attemptOf(otherOrder)).id)
    expect(forged).not.toBe(event)
    expect((await sendSigned(provider, eventName(forged))).status).toBe(200)
    await expectUnpaid(otherPerson, otherOrder)
    await expectUnpaid(person, order)
    expect((await send(provider, event, sign(event))).status).toBe(200)
    await person.until(order.id, 'Paid')
  })

  it('counts once among all events in the wrong order, delivered several times at once and later again', async () => {
    const { person, id, order, events } = await paidUnheard(provider)
    expect(events.length).toBeGreaterThan(2)
    for (const event of events.toReversed()) {
      const copies = Array.from({ length: 4 }, () => sendSigned(provider, event))
      const answers = await Promise.all(copies)
      expect(answers.map(({ status }) => status)).toEqual(Array(4).fill(200))
    }
    await person.until(order.id, 'Paid')
    for (const event of events) expect((await sendSigned(provider, event)).status).toBe(200)
    await expectPaidOnce(person, order, id)
  })

  it('with nonsense never causes a 5xx, signed or not', async () => {
    for (const raw of senseless) {
      const unsignedAnswer = await send(provider, raw)
      const signAnswer = await sendSigned(provider, raw)
      expect([raw.slice(0, 80), unsignedAnswer.status]).toEqual([raw.slice(0, 80), 400])
      expect([raw.slice(0, 80), signAnswer.status < 500]).toEqual([raw.slice(0, 80), true])
    }
    const noText = new Uint8Array([0x7b, 0xff, 0xfe, 0x00, 0x7d])
    expect((await sendSigned(provider, noText)).status).toBe(400)
  })

  it('with less than the price is recorded, and grants nothing', async () => {
    const person = await buyer(shop)
    const order = await person.pending(methods[provider])
    const { payment_intent_id: intent } = order.payment_method_data ?? {}
    if (provider === 'card') await shop.cards(`/payment_intents/${intent}`, { amount: '399' })
    await shop.pay(order, { percent: 98.8 })
    await sendSigned(provider, (await eventsOf(order)).at(-1) ?? '')
    await shop.settle()
    const due = provider === 'card' ? 1 : 5
    expect(await person.order(order.id)).toMatchObject({
      status: 'PendingPayment',
      remaining_due_in_cents: due,
    })
    expect(await shop.ledgerOf(order.id)).toMatchObject([{ amount_in_cents: 400 - due }])
  })
})

describe('an event of the card provider (T90)', () => {
  it('signed more than 300 seconds in the future is rejected', async () => {
    const { person, order, event } = await paidUnheard('card')
    const headersAt = (seconds: number) => signatures.card(event, shop.secrets.card, ago(-seconds))
    for (const seconds of [310, 4_000, 10 * 365 * daySeconds]) {
      expect((await send('card', event, headersAt(seconds))).status).toBe(400)
    }
    const { 'stripe-signature': future } = headersAt(4_000)
    for (const times of [`t=${ago(0)},${future}`, `t=x,${future}`]) {
      expect((await send('card', event, { 'stripe-signature': times })).status).toBe(400)
    }
    await expectUnpaid(person, order)
    expect((await send('card', event, headersAt(290))).status).toBe(200)
    await person.until(order.id, 'Paid')
  })

  it('signed more than 300 seconds ago is rejected', async () => {
    const { person, order, event } = await paidUnheard('card')
    const sendSignedAt = (seconds: number) =>
      send('card', event, signatures.card(event, shop.secrets.card, ago(seconds)))
    for (const seconds of [302, 3_600, 10 * 365 * daySeconds]) {
      expect((await sendSignedAt(seconds)).status).toBe(400)
    }
    // A new time with the old signature is invalid.
    const { 'stripe-signature': old } = signatures.card(event, shop.secrets.card, ago(400))
    const renewed = old.replace(/t=\d+/, `t=${ago(0)}`)
    expect((await send('card', event, { 'stripe-signature': renewed })).status).toBe(400)
    await expectUnpaid(person, order)
    expect((await sendSignedAt(290)).status).toBe(200)
    await person.until(order.id, 'Paid')
  })

  it('in another currency has no effect', async () => {
    const person = await buyer(shop)
    const order = await person.pending()
    const { id: attempt_id } = await attemptOf(order)
    const intent = await shop.cards<{ id: string }>('/payment_intents', {
      amount: '400',
      currency: 'eur',
      'metadata[attempt_id]': attempt_id,
    })
    await shop.atProvider(`/intents/${intent.id}/pay`)
    const { data } = await shop.cards<{ data: object[] }>('/events?limit=3')
    for (const event of data) await sendSigned('card', JSON.stringify(event))
    await expectUnpaid(person, order)
  })

  it('about a payment that the provider assigns to another attempt has no effect', async () => {
    const [person, other] = [await buyer(shop), await buyer(shop)]
    const [order, foreign] = [await person.pending(), await other.pending()]
    const { payment_intent_id: intent } = order.payment_method_data ?? {}
    const { id } = await attemptOf(foreign)
    await shop.cards(`/payment_intents/${intent}`, { 'metadata[attempt_id]': id })
    await shop.pay(order)
    for (const event of await eventsOf(order)) await sendSigned('card', event)
    await expectUnpaid(person, order)
    await expectUnpaid(other, foreign)
  })
})

it('an event of the crypto provider from the future, or from before the ids that we store, is rejected (T90)', async () => {
  const { person, order, event } = await paidUnheard('crypto')
  const eventAt = (seconds: number) => event.replace(/("timestamp":\s*)\d+/, `$1${ago(seconds)}`)
  for (const seconds of [-310, -4_000, 91 * daySeconds]) {
    expect((await sendSigned('crypto', eventAt(seconds))).status).toBe(400)
  }
  await expectUnpaid(person, order)
  expect((await sendSigned('crypto', eventAt(89 * daySeconds))).status).toBe(200)
  await person.until(order.id, 'Paid')
})

it('an invoice in another currency has no effect (T90)', async () => {
  const person = await buyer(shop)
  await person.add(newId())
  await shop.closeProviders()
  await person.post('/api/cart/checkout', { method: 'CryptoCommerce' })
  await shop.openProviders()
  const { id: orderId } = await attemptOf(await person.cart())
  const invoice = { amount: '4.00', currency: 'EUR', metadata: { orderId } }
  const { id } = await shop.coins<{ id: string }>('/stores/store/invoices', invoice)
  const order = await person.checkout('CryptoCommerce')
  expect(order.payment_method_data?.invoice_id).toBe(id)
  await shop.pay(order)
  for (const event of await eventsOf(order)) await sendSigned('crypto', event)
  await expectUnpaid(person, order)
})

it('no other provider has a webhook', async () => {
  for (const provider of ['paypal', 'CARD', '..', '%00']) {
    const answer = await send(provider, '{}', signatures.card('{}'))
    expect([400, 404], provider).toContain(answer.status)
  }
})

it('two orders with each event three times, shuffled: none is lost and none counts twice (R6)', async () => {
  const paidOrders = await Promise.all(
    (['card', 'crypto'] as const).map((provider) => paidUnheard(provider)),
  )
  const parcels = paidOrders
    .flatMap(({ events, order }) =>
      events.map((event) => ({
        event,
        provider: order.payment_method_data?.invoice_id ? 'crypto' : 'card',
      })),
    )
    .flatMap((parcel) => [parcel, parcel, parcel])
    .map((parcel) => ({ parcel, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
  for (let sentCount = 0; sentCount < parcels.length; sentCount += 50) {
    const batch = parcels.slice(sentCount, sentCount + 50)
    const answers = await Promise.all(
      batch.map(({ parcel }) => sendSigned(parcel.provider as Provider, parcel.event)),
    )
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
  }
  for (const { person, order, id } of paidOrders) await expectPaidOnce(person, order, id)
})

/** The same event under a new name. */
function eventName(event: string): string {
  return event
    .replace(/"(evt_\w+)"/, `"evt_${randomUUID()}"`)
    .replace(/("originalDeliveryId":\s*)"\w+"/, `$1"${randomUUID()}"`)
}
